import type { Caller, Client, Operation } from '../gateway/run.js';
import { fail } from '../kernel/declare/errors.js';

/** Caller and client of an export. Exports contain only data that the caller can read. */
export interface Asking {
  readonly caller: Caller;
  readonly client: Client;
}

/** A page of a list. All export documents name the list `rows`. */
export interface PageOf<T> {
  readonly rows: {
    readonly nodes: readonly T[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

/**
 * Runs an operation as the caller. Throws its first error, because exports must be complete. `T` is the type of the selected
 * data.
 */
export async function ask<T>(operation: Operation, variables: Record<string, unknown>, { caller, client }: Asking): Promise<T> {
  operation.authorize(caller);
  const { data, errors } = await operation.run(variables, caller, client);
  const [error] = errors ?? [];
  if (error) throw error;
  return data ? (data as T) : fail('INTERNAL', 'an operation without an answer');
}

/** Reads all pages of a list. */
export async function askAll<T>(operation: Operation, variables: Record<string, unknown>, asking: Asking): Promise<T[]> {
  const all: T[] = [];
  for (let after: string | null = null; ; ) {
    const { rows }: PageOf<T> = await ask<PageOf<T>>(operation, { ...variables, after }, asking);
    all.push(...rows.nodes);
    after = rows.pageInfo.endCursor;
    if (!rows.pageInfo.hasNextPage) return all;
  }
}

/** Whether the caller may read the root fields of an operation. */
export function mayAsk(operation: Operation, { caller }: Asking): boolean {
  try {
    operation.authorize(caller);
    return true;
  } catch {
    return false;
  }
}
