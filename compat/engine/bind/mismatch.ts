import { inWords, type Problem } from '../../../src/kernel/declare/errors.js';

/** A name below another one: `a` and `b` are `a.b`, `a` and `[].b` are `a[].b`. */
export const joinedPath = (outer: string, inner: string): string =>
  outer === '' || inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;

/** Values that are not what the interface documents. Thrown where they are seen, named on the way out, answered as one 400. */
export class Mismatch extends Error {
  constructor(
    /** The legacy name of each value, as the sender knows it, and what was expected: `payload.GoverningBodies[0].id`. */
    readonly problems: readonly Problem[],
    /** What could be read beside them, where that says something. */
    readonly rest?: unknown,
  ) {
    super(inWords(problems));
  }

  /** The same below the name of what holds the values. */
  within(name: string): Mismatch {
    const problems = this.problems.map(({ field, expected }) => ({ field: joinedPath(name, field), expected }));
    return new Mismatch(problems, this.rest);
  }
}

/** Throws a Mismatch: what was expected, as a noun phrase. */
export function expected(what: string): never {
  throw new Mismatch([{ field: '', expected: what }]);
}

/** Runs a reading and gives its mismatches a name. */
export function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Mismatch ? error.within(name) : error;
  }
}

/** Gathers the mismatches of several readings, so that all of them are told. */
export class Readings {
  /** Of one value the first mismatch counts: some are read twice. */
  readonly #problems = new Map<string, Problem>();

  /** What is read; for a mismatch, which is kept, as much of it as could be read. */
  try<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      for (const problem of error.problems) if (!this.#problems.has(problem.field)) this.#problems.set(problem.field, problem);
      return error.rest as T | undefined;
    }
  }

  get areWrong(): boolean {
    return this.#problems.size > 0;
  }

  /** Throws the mismatches there were, with what could be read beside them. */
  check(rest?: unknown): void {
    if (this.#problems.size) throw new Mismatch([...this.#problems.values()], rest);
  }
}
