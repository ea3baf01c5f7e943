import { GraphQLError } from 'graphql';
import { badInputError, type Details, type Problem } from './errors.js';

/** Maximum number of problems in a response. A request of 1 MB can have 100,000 invalid values. */
const maxProblems = 50;

/** Collects the invalid values of a request, so that one error reports all of them. Keeps only the first problem of each field. */
export class Problems {
  readonly #problems = new Map<string, Problem>();

  /** Whether the maximum number of problems is reached. Further problems are ignored. */
  get isFull(): boolean {
    return this.#problems.size >= maxProblems;
  }

  add(field: string, expected: string, suggestions: readonly string[] = []): void {
    this.addProblem({ field, expected, ...(suggestions.length && { suggestions }) });
  }

  addProblem(problem: Problem): void {
    if (!this.isFull && !this.#problems.has(problem.field)) this.#problems.set(problem.field, problem);
  }

  /** Adds the problems of an error. Rethrows errors without problems. */
  addFrom(error: unknown): void {
    const { problems } = (error instanceof GraphQLError ? error.extensions : {}) as Details;
    if (!problems) throw error;
    for (const problem of problems) this.addProblem(problem);
  }

  /** Returns the result of a check. If the check rejects a value, adds the problem and returns undefined. */
  try<T>(check: () => T): T | undefined {
    try {
      return check();
    } catch (error) {
      this.addFrom(error);
      return undefined;
    }
  }

  /** Problems in the order in which they were added. */
  get list(): readonly Problem[] {
    return [...this.#problems.values()];
  }

  /** Throws BAD_INPUT if there are problems. */
  throwIfAny(): void {
    if (this.#problems.size) throw badInputError(this.list);
  }
}

type Checks = readonly (() => unknown)[];
type CheckResults<T extends Checks> = { -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> };

/** Runs all checks and returns their results. If some fail, throws one error with all problems. */
export function runChecks<const T extends Checks>(...checks: T): { -readonly [K in keyof T]: ReturnType<T[K]> } {
  const problems = new Problems();
  const results = checks.map((check) => problems.try(check));
  problems.throwIfAny();
  return results as { -readonly [K in keyof T]: ReturnType<T[K]> };
}

/** Like `runChecks`, for asynchronous checks such as database queries. Runs them in sequence. */
export async function runAsyncChecks<const T extends Checks>(...checks: T): Promise<CheckResults<T>> {
  const problems = new Problems();
  const results: unknown[] = [];
  for (const check of checks) {
    try {
      results.push(await check());
    } catch (error) {
      results.push(problems.addFrom(error));
    }
  }
  problems.throwIfAny();
  return results as CheckResults<T>;
}
