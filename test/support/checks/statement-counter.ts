import { AsyncLocalStorage } from 'node:async_hooks';
import { statements } from '../../../src/database/prepared-client.js';
import type { TestApp } from '../servers/app.js';

/** Statements that were sent while a request was handled; what the service does beside requests is not among them. */
export interface Taken {
  count: number;
  /** Those that somebody wants to read. */
  texts?: string[];
}

const requests = new AsyncLocalStorage<Taken>();

/** What every connection says once, what opens and ends transactions, who asks, whether what is kept still holds, and that something was written: not what a request asks for. */
const beside = /^\s*(?:set |begin|start transaction|commit|rollback|savepoint|release|notify )|token_hash|kept_version/i;

statements.subscribe((text) => {
  const taken = requests.getStore();
  if (!taken || beside.test(String(text))) return;
  taken.count += 1;
  taken.texts?.push(String(text));
});

/** Handles a request and counts its statements. */
export const counting = (taken: Taken, handle: () => void): void => requests.run(taken, handle);

/** How many statements a request takes, once what is read from memory is there. */
export async function statementsOf(app: TestApp, request: () => Promise<unknown>): Promise<number> {
  await request();
  const before = app.statements();
  await request();
  return app.statements() - before;
}
