import type { Reference, ReferenceOperation } from '../../../compat/reference/operation.js';

/** A searchable name, with the coordinate of its GraphQL field. */
type Term = readonly [kind: string, name: string, coordinate?: string];

/** Searchable names that the list does not show. `operations` contains, for each operation, the indexes of its terms. */
export interface SearchIndex {
  readonly terms: readonly Term[];
  readonly operations: Readonly<Record<string, readonly number[]>>;
}

/** Creates a search index from the terms of each operation. */
export function createSearchIndex(termsByOperation: readonly (readonly [name: string, terms: readonly Term[]])[]): SearchIndex {
  const indexes = new Map<string, number>();
  const terms: Term[] = [];
  const indexOf = (term: Term): number => {
    const key = term.join(' ');
    const index = indexes.get(key) ?? terms.push(term) - 1;
    indexes.set(key, index);
    return index;
  };
  const operations = termsByOperation.map(([name, names]) => [name, [...new Set(names.map(indexOf))]] as const);
  return { operations: Object.fromEntries(operations), terms };
}

/**
 * Location of a name. `parameter`: path, query or header. `body`: request body. `answer`: response body. `GraphQL`: GraphQL operation only.
 */
type TermKind = 'parameter' | 'body' | 'answer' | 'GraphQL';

const termOf = (kind: TermKind, name: string, coordinate: string | null): Term =>
  coordinate === null ? [kind, name] : [kind, name, coordinate];

function termsOf({ parameters, request, responses, calls }: ReferenceOperation): Term[] {
  const fields = [
    ...parameters.map(({ name, coordinate }) => termOf('parameter', name, coordinate)),
    ...(request?.fields ?? []).map(({ path, coordinate }) => termOf('body', path, coordinate)),
    ...responses.flatMap((response) => response.fields.map(({ path, coordinate }) => termOf('answer', path, coordinate))),
  ];
  const fieldCoordinates = new Set(fields.map(([, , coordinate]) => coordinate));
  const otherNames = new Set(
    calls.flatMap(({ coordinates }) => coordinates.filter((coordinate) => !fieldCoordinates.has(coordinate))),
  );
  return [...fields, ...[...otherNames].map((coordinate) => termOf('GraphQL', coordinate, null))];
}

/** Creates the search index of the names that occur in all operations. */
export const searchIndex = ({ groups }: Reference): SearchIndex =>
  createSearchIndex(
    groups.flatMap(({ operations }) => operations.map((operation) => [operation.name, termsOf(operation)] as const)),
  );
