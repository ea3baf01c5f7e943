import type { Caller, Client, Operation } from '../graphql/run.js';
import { fail } from '../kernel/declare/errors.js';

/** Caller and client of an export. */
export interface ExportCaller {
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

/** Runs an operation as the caller and returns its data. Throws the first error, because exports must be complete. */
export async function runQuery<T>(
  operation: Operation,
  variables: Record<string, unknown>,
  { caller, client }: ExportCaller,
): Promise<T> {
  operation.authorize(caller);
  const { data, errors } = await operation.run(variables, caller, client);
  const [error] = errors ?? [];
  if (error) throw error;
  return data ? (data as T) : fail('INTERNAL', 'the operation returned no data');
}

/** Reads all pages of a list. */
export async function readAllPages<T>(
  operation: Operation,
  variables: Record<string, unknown>,
  exportCaller: ExportCaller,
): Promise<T[]> {
  const rows: T[] = [];
  for (let after: string | null = null; ; ) {
    const { rows: page }: PageOf<T> = await runQuery<PageOf<T>>(operation, { ...variables, after }, exportCaller);
    rows.push(...page.nodes);
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return rows;
  }
}

/** Whether the caller may read the root fields of an operation. */
export function canRead(operation: Operation, { caller }: ExportCaller): boolean {
  try {
    operation.authorize(caller);
    return true;
  } catch {
    return false;
  }
}
