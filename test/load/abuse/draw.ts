import fc from 'fast-check';

/** Decisions of one case, all of which follow from its seed; fast-check makes them smaller when the case finds something. */
export interface Draw {
  /** A value of an arbitrary. */
  of<T>(arbitrary: fc.Arbitrary<T>): T;
  /** A whole number from 0 to `max`, both included. */
  upTo(max: number): number;
  pick<T>(items: readonly T[]): T;
  /** True in this share of cases; false is the smaller decision. */
  chance(share: number): boolean;
}

// fast-check keeps what it builds by the function that builds it.
const builders = new WeakMap<fc.Arbitrary<unknown>, () => fc.Arbitrary<unknown>>();

function builderOf<T>(arbitrary: fc.Arbitrary<T>): () => fc.Arbitrary<T> {
  const known = builders.get(arbitrary);
  const builder = known ?? (() => arbitrary);
  builders.set(arbitrary, builder);
  return builder as () => fc.Arbitrary<T>;
}

/** Draws from the generator of a running property. */
export function drawFrom(gen: fc.GeneratorValue): Draw {
  const upTo = (max: number) => gen(fc.nat, { max });
  return {
    of: (arbitrary) => gen(builderOf(arbitrary)),
    upTo,
    pick<T>(items: readonly T[]): T {
      if (!items.length) throw new Error('there is nothing to pick from');
      return items[upTo(items.length - 1)] as T;
    },
    chance: (share) => upTo(999) >= 1000 - share * 1000,
  };
}
