import { GraphQLError } from 'graphql';
import { badInput, type Details, type Problem } from './errors.js';

/** Most problems that one answer names: a request of a megabyte may have a hundred thousand. */
const most = 50;

/** The wrong values of a request, gathered so that all of them are told at once. Of one field the first problem counts. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  /** Whether enough is known; looking for more would be in vain. */
  get areEnough(): boolean {
    return this.#found.size >= most;
  }

  add(field: string, expected: string, suggestions: readonly string[] = []): void {
    if (this.areEnough || this.#found.has(field)) return;
    this.#found.set(field, { field, expected, ...(suggestions.length && { suggestions }) });
  }

  /** Keeps what a check rejected; whatever else was thrown is thrown on. */
  keep(error: unknown): void {
    const { problems } = (error instanceof GraphQLError ? error.extensions : {}) as Details;
    if (!problems) throw error;
    for (const { field, expected, suggestions } of problems) this.add(field, expected, suggestions);
  }

  /** The result of a check, unless it rejects something: that is kept. */
  try<T>(check: () => T): T | undefined {
    try {
      return check();
    } catch (error) {
      this.keep(error);
      return undefined;
    }
  }

  /** The problems in the order in which they were found. */
  get list(): readonly Problem[] {
    return [...this.#found.values()];
  }

  /** Throws BAD_INPUT when there are any. */
  refuse(): void {
    if (this.#found.size) throw badInput(this.list);
  }
}

type Checks = readonly (() => unknown)[];
type Results<T extends Checks> = { -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> };

/** The results of all checks; what any of them rejects is thrown as one error, when all have run. */
export function allOf<const T extends Checks>(...checks: T): { -readonly [K in keyof T]: ReturnType<T[K]> } {
  const problems = new Problems();
  const results = checks.map((check) => problems.try(check));
  problems.refuse();
  return results as { -readonly [K in keyof T]: ReturnType<T[K]> };
}

/** The same for checks that ask the database, one after the other. */
export async function allOfThese<const T extends Checks>(...checks: T): Promise<Results<T>> {
  const problems = new Problems();
  const results: unknown[] = [];
  for (const check of checks) {
    try {
      results.push(await check());
    } catch (error) {
      results.push(problems.keep(error));
    }
  }
  problems.refuse();
  return results as Results<T>;
}
