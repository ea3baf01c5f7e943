import { joined } from './joined.js';
import type { ReferenceCall } from './operation.js';

/** Maximum number of operations in a combined query, and maximum number of combinations to return. */
const [maxOperations, maxCombinations] = [4, 12];

/** An operation of `/v1` with its GraphQL calls, optionally with variables. */
export interface JoinableOperation<C extends Joinable> {
  readonly name: string;
  readonly calls: readonly C[];
}
type Joinable = Pick<ReferenceCall, 'when' | 'document'> & Partial<Pick<ReferenceCall, 'variables'>>;

/** A query that combines several calls, and these calls. */
export interface JoinedCall<C extends Joinable> extends Omit<ReferenceCall, 'asks'> {
  readonly of: readonly C[];
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** All combinations of one call per operation. A repeated operation always has the same call. */
function combinations<C extends Joinable>(operations: readonly JoinableOperation<C>[]): C[][] {
  const names = operations.map(({ name }) => name);
  return operations.reduce<C[][]>(
    (all, { name, calls }, index) => {
      const before = names.indexOf(name);
      return all.flatMap((chosen) => {
        const same = before < index ? chosen[before] : undefined;
        return (same ? [same] : calls).map((call) => [...chosen, call]);
      });
    },
    [[]],
  );
}

/** Queries that replace calls of several operations, one for each combination of their cases. Empty if they cannot be combined. */
export function joinedCalls<C extends Joinable>(operations: readonly JoinableOperation<C>[]): JoinedCall<C>[] {
  if (operations.length < 2 || operations.length > maxOperations) return [];
  const names = operations.map(({ name }) => capital(name));
  const name = new Set(names).size === 1 ? `${names[0]}Several` : names.join('And');
  return combinations(operations)
    .slice(0, maxCombinations)
    .flatMap((of) => {
      const found = joined(
        name,
        of.map(({ document }) => document),
      );
      if (!found) return [];
      const whens = [...new Set(of.flatMap(({ when }) => when ?? []))];
      const variables = of.flatMap(({ variables: own = {} }, index) =>
        Object.entries(own).map(([key, value]) => [found.variables[index]?.get(key) ?? key, value] as const),
      );
      return [
        {
          of,
          when: whens.length > 0 ? whens.join(' ') : null,
          document: found.document,
          variables: Object.fromEntries(variables),
        },
      ];
    });
}
