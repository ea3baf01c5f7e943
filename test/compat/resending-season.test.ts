import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from '../support/servers/app.js';
import { startSeason } from '../support/servers/season.js';
import { cases, idIn, type LegacyData, recordsIn, sender } from './resendable-records.js';

let app: TestApp;
let requests: ReturnType<typeof sender>;
beforeAll(async () => {
  app = await startSeason();
  requests = sender(app, await app.person({ roles: ['NEWS_CREATOR'] }));
}, 120_000);
afterAll(() => app.close());

/** Number of records from each list that are sent back. */
const sample = 12;

const lists = cases.flatMap((each) => {
  const list = each.reads.find((path) => path !== 'created' && !/\{\w+\}/.test(path));
  return list
    ? each.writes.map((write) => ({ each, write, list: list.replace('retrieve_all=true', `page_size=${sample}`) }))
    : [];
});

/** Returns the rows with null instead of 0, because responses show 0 for numbers that are not set. */
const shownNumbers = (rows: Map<unknown, LegacyData>, ids: readonly unknown[]) =>
  ids.map((id) =>
    Object.fromEntries(Object.entries(rows.get(id) ?? {}).map(([name, value]) => [name, value === 0 ? null : value])),
  );

test.for(lists)('the records of the demo season in $list are unchanged by $write', async ({ each, write, list }) => {
  const read = async () => recordsIn((await requests.send(`GET ${list}`, {})).body).slice(0, sample);
  const first = await read();
  const before = await requests.storedRows(each);
  const statuses = new Set<number>();
  for (const record of first) statuses.add((await requests.send(write, { id: idIn(record) }, record)).status);
  const after = await requests.storedRows(each);
  const ids = first.map(idIn);
  expect({
    isSuccess: [...statuses].every((status) => status === 200 || status === 304),
    count: first.length > 0,
    records: await read(),
    rows: after.size,
    stored: shownNumbers(after, ids),
  }).toEqual({ isSuccess: true, count: true, records: first, rows: before.size, stored: shownNumbers(before, ids) });
});

test('the users of the demo season are unchanged after they are sent back', async () => {
  const ids = (await app.sql.rows<{ id: string }>(`select id from app_user order by id limit ${sample}`)).map(({ id }) => id);
  const read = () => Promise.all(ids.map(async (id) => (await app.rest('GET', `/v1/users/${id}`, app.platform)).body.result));
  const first = await read();
  for (const payload of first) await app.rest('POST', '/v1/users/upsert', app.platform, { payload });
  expect(await read()).toEqual(first);
});
