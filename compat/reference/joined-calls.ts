import { joined } from './joined.js';
import type { ReferenceCall } from './operation.js';

/** Most operations that are made one, and most of the ways to do so that are told. */
const [mostOperations, mostWays] = [4, 12];

/** An operation of `/v1` with its name and the GraphQL behind it; the variables of a call may be unknown. */
export interface JoinableOperation<C extends Joinable> {
  readonly name: string;
  readonly calls: readonly C[];
}
type Joinable = Pick<ReferenceCall, 'when' | 'document'> & Partial<Pick<ReferenceCall, 'variables'>>;

/** One query for several calls, and the calls that it is made of. */
export interface JoinedCall<C extends Joinable> extends Omit<ReferenceCall, 'asks'> {
  readonly of: readonly C[];
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Every choice of one call of each operation; one that stands there twice is called in the same way both times. */
function choices<C extends Joinable>(operations: readonly JoinableOperation<C>[]): C[][] {
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

/** What could be asked instead of calling several operations, in each of the cases that they have; nothing where that cannot be one query. */
export function joinedCalls<C extends Joinable>(operations: readonly JoinableOperation<C>[]): JoinedCall<C>[] {
  if (operations.length < 2 || operations.length > mostOperations) return [];
  const names = operations.map(({ name }) => capital(name));
  const name = new Set(names).size === 1 ? `${names[0]}Several` : names.join('And');
  return choices(operations)
    .slice(0, mostWays)
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
