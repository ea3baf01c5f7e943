import { type Problem, problemsMessage } from '../../../src/kernel/declare/errors.js';

/** Joins two paths: `a` and `b` become `a.b`, and `a` and `[].b` become `a[].b`. */
export const joinedPath = (outer: string, inner: string): string =>
  outer === '' || inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;

/** Error that lists the invalid values of a request. `/v1` reports all of them in one 400 response. */
export class InvalidValueError extends Error {
  constructor(
    /** Legacy name of each invalid value, such as `payload.GoverningBodies[0].id`, with the expected value. */
    readonly problems: readonly Problem[],
    /** Valid values of the same request, for further checks. */
    readonly validValues?: unknown,
  ) {
    super(problemsMessage(problems));
  }

  /** Returns a copy with the name of a parent prepended to all field names. */
  withParent(name: string): InvalidValueError {
    const problems = this.problems.map(({ field, expected }) => ({ field: joinedPath(name, field), expected }));
    return new InvalidValueError(problems, this.validValues);
  }
}

/** Throws an `InvalidValueError`. `expectation` is a noun phrase, such as `a number`. */
export function throwInvalidValue(expectation: string): never {
  throw new InvalidValueError([{ field: '', expected: expectation }]);
}

/** Runs a function. If it throws an `InvalidValueError`, prepends the name of a parent to all field names in the error. */
export function withParentName<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidValueError ? error.withParent(name) : error;
  }
}

/** Collects the invalid values that several functions find, and throws one error that lists all of them. */
export class InvalidValues {
  /** First problem of each field. Some fields are read twice, but must be reported once. */
  readonly #problems = new Map<string, Problem>();

  /** Runs a function. If it throws an `InvalidValueError`, stores its problems and returns its valid values. */
  tryRead<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      for (const problem of error.problems) if (!this.#problems.has(problem.field)) this.#problems.set(problem.field, problem);
      return error.validValues as T | undefined;
    }
  }

  get hasProblems(): boolean {
    return this.#problems.size > 0;
  }

  /** Throws one `InvalidValueError` with all problems and the valid values. Does nothing if there are no problems. */
  throwIfAny(validValues?: unknown): void {
    if (this.#problems.size) throw new InvalidValueError([...this.#problems.values()], validValues);
  }
}
