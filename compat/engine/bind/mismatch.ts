import { type Problem, problemsMessage } from '../../../src/kernel/declare/errors.js';

/** Joins names to a path: `a` and `b` to `a.b`, `a` and `[].b` to `a[].b`. */
export const joinedPath = (outer: string, inner: string): string =>
  outer === '' || inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;

/** Invalid values of a request. Callers add the names of parents. The response is one 400 error. */
export class Mismatch extends Error {
  constructor(
    /** Expectations by legacy name, such as `payload.GoverningBodies[0].id`. */
    readonly problems: readonly Problem[],
    /** Valid values of the same request, if they are useful for further checks. */
    readonly validValues?: unknown,
  ) {
    super(problemsMessage(problems));
  }

  /** The same mismatch with a parent name before all names. */
  withParent(name: string): Mismatch {
    const problems = this.problems.map(({ field, expected }) => ({ field: joinedPath(name, field), expected }));
    return new Mismatch(problems, this.validValues);
  }
}

/** Throws a `Mismatch`. The expectation is a noun phrase. */
export function throwExpected(expectation: string): never {
  throw new Mismatch([{ field: '', expected: expectation }]);
}

/** Runs a function and adds a parent name to its mismatches. */
export function withParentName<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Mismatch ? error.withParent(name) : error;
  }
}

/** Collects the mismatches of several functions, so that one error lists all of them. */
export class Mismatches {
  /** The first mismatch of each value, because some values are read twice. */
  readonly #problems = new Map<string, Problem>();

  /** Runs a function. If it throws a mismatch, that is stored, and the valid part of the result is returned. */
  tryRead<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      for (const problem of error.problems) if (!this.#problems.has(problem.field)) this.#problems.set(problem.field, problem);
      return error.validValues as T | undefined;
    }
  }

  get hasProblems(): boolean {
    return this.#problems.size > 0;
  }

  /** Throws all collected mismatches, with the valid values. Does nothing without mismatches. */
  throwIfAny(validValues?: unknown): void {
    if (this.#problems.size) throw new Mismatch([...this.#problems.values()], validValues);
  }
}
