import fc from 'fast-check';

/** Random choices of one case, derived from its seed. fast-check shrinks them when the case finds a problem. */
export interface Draw {
  /** Returns a random value of a fast-check arbitrary. */
  of<T>(arbitrary: fc.Arbitrary<T>): T;
  /** Returns a random integer from 0 to `max`, inclusive. */
  upTo(max: number): number;
  pick<T>(items: readonly T[]): T;
  /** Returns true with the probability `share`. Shrinks to false. */
  chance(share: number): boolean;
}

// One function per arbitrary, because fast-check caches arbitraries by the function that returns them.
const builders = new WeakMap<fc.Arbitrary<unknown>, () => fc.Arbitrary<unknown>>();

function builderOf<T>(arbitrary: fc.Arbitrary<T>): () => fc.Arbitrary<T> {
  const cachedArbitrary = builders.get(arbitrary);
  const builder = cachedArbitrary ?? (() => arbitrary);
  builders.set(arbitrary, builder);
  return builder as () => fc.Arbitrary<T>;
}

/** Returns random choices from the value generator of a running fast-check property. */
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
