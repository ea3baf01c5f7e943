import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Change, type ChangeLog, placeOfCursor, type Told, type Watch } from '../../src/kernel/changes/index.js';
import { columnOf, metaOf } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let log: ChangeLog;
beforeAll(async () => {
  app = await startApp();
  log = app.resources.services.changes;
});
afterAll(() => app.close());

async function take(watch: Watch, many: number): Promise<Told[]> {
  const told: Told[] = [];
  for await (const each of watch) if (told.push(each) === many) break;
  return told;
}

const upsert = (id: string, seed: number) =>
  app.graphql('mutation ($input: TeamInput!) { upsertTeam(input: $input) { id } }', {
    input: { id, seed, tournamentId: 'cup' },
  });
const brief = (told: readonly Told[]) =>
  told.map((each) => ('id' in each ? `${each.kind} ${each.record} ${each.id}` : each.kind));

test('a write is told with what it changed, who wrote, and by what it is found', async () => {
  const watch = await log.watch(['Team tournamentId=cup']);
  await upsert('a', 1);
  await upsert('a', 2);
  await app.graphql('mutation { deleteTeam(id: "a") { id } }');
  const told = (await take(watch, 3)) as Change[];
  expect(told.map(({ kind, fields, refs, by }) => ({ kind, fields, refs, by }))).toEqual(
    ['CREATED', 'CHANGED', 'DELETED'].map((kind) => ({
      kind,
      fields: kind === 'CHANGED' ? ['seed'] : [],
      refs: ['tournamentId=cup'],
      by: { userId: null, platformId: 'test-platform' },
    })),
  );
});

test('what is written as it was before is no change', async () => {
  await upsert('same', 1);
  const watch = await log.watch(['Team']);
  await upsert('same', 1);
  await upsert('same', 2);
  expect((await take(watch, 1)).map((told) => 'fields' in told && told.fields)).toEqual([['seed']]);
  await app.graphql('mutation { deleteTeam(id: "same") { id } }');
});

test('who comes back with a place is told what was missed, and whose place is unknown is told to read anew', async () => {
  const place = await log.here();
  for (const id of ['b', 'c', 'd']) await upsert(id, 1);
  const missed = await take(await log.watch(['Team'], place), 3);
  expect(brief(missed)).toEqual(['CREATED Team b', 'CREATED Team c', 'CREATED Team d']);
  const [, second] = missed;
  expect(brief(await take(await log.watch(['Team'], { ...place, position: second?.position ?? 0 }), 1))).toEqual([
    'CREATED Team d',
  ]);
  for (const wrong of [
    { ...place, log: 'another1' },
    { ...place, position: 1e12 },
  ])
    expect(brief(await take(await log.watch(['Team'], wrong), 1))).toEqual(['READ_ANEW']);
});

test('a transaction that is open when others commit is told in its turn, and nobody misses it', async () => {
  const watch = await log.watch(['Team']);
  const slow = new Client({ connectionString: app.databaseUrl });
  await slow.connect();
  await slow.query('begin');
  await slow.query(`insert into team (id) values ('slow')`);
  await upsert('quick', 1);
  setTimeout(() => void slow.query('commit'), 300);
  const told = await take(watch, 2);
  expect([brief(told), told.map(({ position }) => position)]).toEqual([
    ['CREATED Team slow', 'CREATED Team quick'],
    told.map(({ position }) => position).sort((a, b) => a - b),
  ]);
  await slow.end();
});

test('what was written before the log was forgotten up to there is to be read anew', async () => {
  const place = await log.here();
  await upsert('old', 1);
  await app.sql.rows(`update change set at = now() - interval '8 days'`);
  const live = modules.find(({ name }) => name === 'live');
  await live?.daily?.[0]?.run(app.sql, app.resources.services);
  expect(await app.sql.rows('select 1 from change')).toEqual([]);
  expect(brief(await take(await log.watch(['Team'], place), 1))).toEqual(['READ_ANEW']);
});

test('who hears of a table that is truncated must read anew, once, and not where that is rolled back', async () => {
  const place = await log.here();
  const watch = await log.watch(['Team']);
  const other = new Client({ connectionString: app.databaseUrl });
  await other.connect();
  await other.query('begin; truncate sponsor; rollback');
  await upsert('kept', 1);
  const told: Told[] = [(await watch.next()).value];
  await other.query('begin; truncate team');
  await app.graphql('mutation { upsertLeague(input: { id: "meanwhile" }) { id } }');
  await other.query('commit');
  told.push((await watch.next()).value);
  await upsert('after', 1);
  expect(brief([...told, ...(await take(watch, 1))])).toEqual(['CREATED Team kept', 'READ_ANEW', 'CREATED Team after']);
  expect(brief(await take(await log.watch(['Team'], place), 1))).toEqual(['READ_ANEW']);
  await other.end();
});

test('the cursor of the graph is a place', async () => {
  const { liveCursor } = await app.graphql('{ liveCursor }');
  expect(placeOfCursor(liveCursor)).toEqual(await log.here());
});

test('the triggers log every record but those that say no, by the columns that these name', async () => {
  const rows = await app.sql.rows<{ table: string; source: string }>(
    `select c.relname as table, p.prosrc as source from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid where t.tgname in ('logged', 'logged_change')`,
  );
  const truncated = await app.sql.rows<{ table: string; record: string }>(
    `select tgrelid::regclass::text as table, convert_from(trim(trailing '\\000' from tgargs), 'UTF8') as record from pg_trigger where tgname = 'logged_truncate'`,
  );
  for (const cls of modules.flatMap(({ records }) => records)) {
    const { table, unlogged, changesBy = [] } = optionsOf(cls);
    const [of] = truncated.flatMap((row) => (row.table === table ? [row.record] : []));
    expect([table, of]).toEqual([table, unlogged ? undefined : metaOf(cls).name]);
    const sources = rows.flatMap((row) => (row.table === table ? [row.source] : []));
    expect([table, sources.length]).toEqual([table, unlogged ? 0 : 2]);
    const columns = changesBy.map((key) => columnOf(metaOf(cls), key).column);
    for (const source of sources) {
      const refs = [...source.matchAll(/'(\w+)=' \|\| new\./g)].map(([, column]) => column);
      expect([table, source.includes(`'${metaOf(cls).name}'`), refs]).toEqual([table, true, columns]);
    }
  }
});

test('every column of a record is logged when it is changed alone, but for the time of the last write', async () => {
  const rows = await app.sql.rows<{ table: string; of: string[]; columns: string[] }>(
    `select c.relname as table, array(select attname::text from unnest(t.tgattr::int2[]) n join pg_attribute on attrelid = c.oid and attnum = n order by 1) as of,
       array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attname <> 'updated_at' order by 1) as columns
     from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'logged_change'`,
  );
  expect(rows.length).toBeGreaterThan(50);
  // Those of tables without such a time are of all columns, whichever these are.
  for (const { table, of, columns } of rows) expect([table, of]).toEqual([table, of.length ? columns : []]);
  const limited = rows.filter(({ of }) => of.length).map(({ table }) => table);
  const kept = modules
    .flatMap(({ records }) => records)
    .filter((cls) => !optionsOf(cls).unlogged && metaOf(cls).fields.has('updatedAt'));
  expect(limited.sort()).toEqual(kept.map((cls) => optionsOf(cls).table).sort());
});
