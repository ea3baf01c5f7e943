import type { Reference, ReferenceOperation } from '../../../compat/reference/operation.js';

/** Where a name stands: in a request's path, query or headers, in its body, in an answer, or in the GraphQL alone. */
type Place = 'parameter' | 'body' | 'answer' | 'GraphQL';

/** A name that one may look for, and what of the graph it is. */
type Term = readonly [place: Place, name: string, coordinate?: string];

/** What one may look for beside what the list shows: each term once, and by operation where in these terms its own stand. */
export interface SearchIndex {
  readonly terms: readonly Term[];
  readonly operations: Readonly<Record<string, readonly number[]>>;
}

const named = (place: Place, name: string, coordinate: string | null): Term =>
  coordinate === null ? [place, name] : [place, name, coordinate];

function termsOf({ parameters, request, answers, calls }: ReferenceOperation): Term[] {
  const fields = [
    ...parameters.map(({ name, coordinate }) => named('parameter', name, coordinate)),
    ...(request?.fields ?? []).map(({ path, coordinate }) => named('body', path, coordinate)),
    ...answers.flatMap((answer) => answer.fields.map(({ path, coordinate }) => named('answer', path, coordinate))),
  ];
  const told = new Set(fields.map(([, , coordinate]) => coordinate));
  const others = new Set(calls.flatMap(({ asks }) => asks.filter((coordinate) => !told.has(coordinate))));
  return [...fields, ...[...others].map((coordinate) => named('GraphQL', coordinate, null))];
}

/** The names in all operations, for the search of the list. */
export function searchIndex({ groups }: Reference): SearchIndex {
  const places = new Map<string, number>();
  const terms: Term[] = [];
  const placeOf = (term: Term): number => {
    const key = term.join(' ');
    const place = places.get(key) ?? terms.push(term) - 1;
    places.set(key, place);
    return place;
  };
  const operations = groups.flatMap((group) => group.operations);
  return {
    operations: Object.fromEntries(
      operations.map((operation) => [operation.name, [...new Set(termsOf(operation).map(placeOf))]]),
    ),
    terms,
  };
}
