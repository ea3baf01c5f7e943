import { AsyncLocalStorage } from 'node:async_hooks';
import { statementChannel } from '../../../src/database/prepared-client.js';
import type { TestApp } from '../servers/app.js';

/** Count of the SQL statements that the service sends while it handles a request. Background work is not counted. */
export interface StatementCount {
  count: number;
  /** Texts of the statements. They are collected only if an array is set. */
  texts?: string[];
}

const requests = new AsyncLocalStorage<StatementCount>();

/**
 * Matches statements that do not belong to a request: connection setup, transaction control, identification of the caller, checks of cached
 * data and notifications.
 */
const beside = /^\s*(?:set |begin|start transaction|commit|rollback|savepoint|release|notify )|token_hash|cache_version/i;

statementChannel.subscribe((text) => {
  const statementCount = requests.getStore();
  if (!statementCount || beside.test(String(text))) return;
  statementCount.count += 1;
  statementCount.texts?.push(String(text));
});

/** Handles a request and counts its statements. */
export const countStatements = (statementCount: StatementCount, handle: () => void): void => requests.run(statementCount, handle);

/** Runs a request twice. Returns the number of SQL statements of the second run, when the caches are filled. */
export async function statementsOf(app: TestApp, request: () => Promise<unknown>): Promise<number> {
  await request();
  const before = app.statements();
  await request();
  return app.statements() - before;
}
