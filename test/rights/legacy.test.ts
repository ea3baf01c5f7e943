import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteEntry } from '../../compat/engine/index.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type Caller, type Cast, castOf, freshToken, tableOf, type Verdict } from './callers.js';
import { codecs, legacyWrites, pathOf, recordIn } from './legacy-calls.js';
import { freshRow } from './rows.js';

let app: TestApp;
let cast: Cast;
beforeAll(async () => {
  app = await startApp();
  cast = await castOf(app);
});
afterAll(() => app.close());

/** Returns a request body with the ID of a row of the owner. For operations without a record, it contains a token of the owner. */
async function bodyFor(entry: RouteEntry, type: string): Promise<unknown> {
  const body = recordIn(entry);
  if (!body) return { payload: { token: await freshToken(app.sql, cast.owner), content: 'x' } };
  const id = codecs.get(body.record).names.get('id');
  const record = id ? { [id]: await freshRow(app.sql, type, cast.owner.id) } : {};
  return body.isWrapped ? { payload: record } : record;
}

async function verdict(entry: RouteEntry, type: string, { tokens }: Caller): Promise<Verdict> {
  const body = entry.method === 'GET' ? undefined : await bodyFor(entry, type);
  const { status, body: answer } = await app.rest(entry.method, await pathOf({ app, cast }, entry, type), tokens, body);
  expect(status, `${entry.method} ${entry.path}: ${JSON.stringify(answer)}`).toBeLessThan(500);
  if (status === 403) return '403';
  return status === 401 && /token/.test(answer.Message) ? '401' : 'yes';
}

const rows: [string, Verdict[]][] = [];

test.for(legacyWrites.map((write) => [`${write.entry.method} ${write.entry.path}`, write] as const))(
  '%s accepts or rejects each kind of caller as expected',
  async ([name, { entry, type }]) => {
    const verdicts: Verdict[] = [];
    for (const caller of cast.callers) verdicts.push(await verdict(entry, type, caller));
    rows.push([name, verdicts]);
  },
);

test('legacy.txt lists the permitted callers of each write operation of /v1', async () => {
  expect(rows.length, 'run the whole file').toBe(legacyWrites.length);
  await expect(tableOf(rows, cast.callers)).toMatchFileSnapshot('legacy.txt');
});
