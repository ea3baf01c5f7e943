import type { Caller, Client, Operation } from '../gateway/run.js';
import { fail } from '../kernel/declare/errors.js';

/** Who asks for an export: what they get is what the graph lets them read. */
export interface Asking {
  readonly caller: Caller;
  readonly client: Client;
}

/** A page of a list, as every document of an export calls it. */
export interface PageOf<T> {
  readonly rows: {
    readonly nodes: readonly T[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

/** Runs an operation as the caller. Its first error is thrown: an export is whole, or it is refused. `T` is what its document selects. */
export async function ask<T>(operation: Operation, variables: Record<string, unknown>, { caller, client }: Asking): Promise<T> {
  operation.authorize(caller);
  const { data, errors } = await operation.run(variables, caller, client);
  const [error] = errors ?? [];
  if (error) throw error;
  return data ? (data as T) : fail('INTERNAL', 'an operation without an answer');
}

/** All rows of a list, page by page along its cursor. */
export async function askAll<T>(operation: Operation, variables: Record<string, unknown>, asking: Asking): Promise<T[]> {
  const all: T[] = [];
  for (let after: string | null = null; ; ) {
    const { rows }: PageOf<T> = await ask<PageOf<T>>(operation, { ...variables, after }, asking);
    all.push(...rows.nodes);
    after = rows.pageInfo.endCursor;
    if (!rows.pageInfo.hasNextPage) return all;
  }
}

/** Whether the root fields of an operation let the caller in. */
export function mayAsk(operation: Operation, { caller }: Asking): boolean {
  try {
    operation.authorize(caller);
    return true;
  } catch {
    return false;
  }
}
