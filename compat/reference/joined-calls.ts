import { joinDocuments } from './joined.js';
import type { ReferenceCall } from './operation.js';

/** Maximum number of operations in a combined query, and maximum number of combined queries. */
const [maxOperations, maxCombinations] = [4, 12];

/** An operation of `/v1` with its GraphQL calls. */
export interface JoinableOperation<C extends JoinableCall> {
  readonly name: string;
  readonly calls: readonly C[];
}
type JoinableCall = Pick<ReferenceCall, 'when' | 'document'> & Partial<Pick<ReferenceCall, 'variables'>>;

/** A query that combines several calls. */
export interface JoinedCall<C extends JoinableCall> extends Omit<ReferenceCall, 'coordinates'> {
  readonly calls: readonly C[];
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns all combinations of one call per operation. If an operation is repeated, each combination has the same call for it. */
function combinations<C extends JoinableCall>(operations: readonly JoinableOperation<C>[]): C[][] {
  const names = operations.map(({ name }) => name);
  return operations.reduce<C[][]>(
    (combinations, { name, calls }, index) => {
      const firstIndex = names.indexOf(name);
      return combinations.flatMap((combination) => {
        const sameNameCall = firstIndex < index ? combination[firstIndex] : undefined;
        return (sameNameCall ? [sameNameCall] : calls).map((call) => [...combination, call]);
      });
    },
    [[]],
  );
}

/** Returns a combined query for each combination of the operations' calls. Empty if the calls cannot be combined. */
export function combinedCalls<C extends JoinableCall>(operations: readonly JoinableOperation<C>[]): JoinedCall<C>[] {
  if (operations.length < 2 || operations.length > maxOperations) return [];
  const names = operations.map(({ name }) => capital(name));
  const name = new Set(names).size === 1 ? `${names[0]}Several` : names.join('And');
  return combinations(operations)
    .slice(0, maxCombinations)
    .flatMap((calls) => {
      const joinedDocument = joinDocuments(
        name,
        calls.map(({ document }) => document),
      );
      if (!joinedDocument) return [];
      const conditions = [...new Set(calls.flatMap(({ when }) => when ?? []))];
      const variables = calls.flatMap(({ variables: callVariables = {} }, index) =>
        Object.entries(callVariables).map(([key, value]) => [joinedDocument.variables[index]?.get(key) ?? key, value] as const),
      );
      return [
        {
          calls,
          when: conditions.length > 0 ? conditions.join(' ') : null,
          document: joinedDocument.document,
          variables: Object.fromEntries(variables),
        },
      ];
    });
}
