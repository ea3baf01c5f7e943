import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAdmin } from '../../../src/commands/admin.js';
import {
  type Change,
  type ChangeLog,
  type ChangePosition,
  parseChangeCursor,
  type Watch,
  type WatchEvent,
} from '../../../src/kernel/changes/index.js';
import { columnOf, metaOf } from '../../../src/kernel/declare/meta.js';
import { optionsOf } from '../../../src/kernel/declare/record.js';
import { modules } from '../../../src/modules/index.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let log: ChangeLog;
beforeAll(async () => {
  app = await startApp();
  log = app.resources.services.changes;
});
afterAll(() => app.close());

async function take(watch: Watch, count: number): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  for await (const event of watch) if (events.push(event) === count) break;
  return events;
}

const upsert = (id: string, seed: number) =>
  app.graphql('mutation ($input: TeamInput!) { upsertTeam(input: $input) { id } }', {
    input: { id, seed, tournamentId: 'cup' },
  });
const summariesOf = (events: readonly WatchEvent[]) =>
  events.map((event) => ('id' in event ? `${event.kind} ${event.record} ${event.id}` : event.kind));

test('a change contains its kind, changed fields, references and author', async () => {
  const watch = await log.watch(['Team tournamentId=cup']);
  await upsert('a', 1);
  await upsert('a', 2);
  await app.graphql('mutation { deleteTeam(id: "a") { id } }');
  const changes = (await take(watch, 3)) as Change[];
  expect(changes.map(({ kind, fields, refs, author }) => ({ kind, fields, refs, by: author }))).toEqual(
    ['CREATED', 'CHANGED', 'DELETED'].map((kind) => ({
      kind,
      fields: kind === 'CHANGED' ? ['seed'] : [],
      refs: ['tournamentId=cup'],
      by: { userId: null, platformId: 'test-platform' },
    })),
  );
});

test('a write of equal values is not a change', async () => {
  await upsert('same', 1);
  const watch = await log.watch(['Team']);
  await upsert('same', 1);
  await upsert('same', 2);
  expect((await take(watch, 1)).map((event) => 'fields' in event && event.fields)).toEqual([['seed']]);
  await app.graphql('mutation { deleteTeam(id: "same") { id } }');
});

describe('a watch that resumes', () => {
  let start: ChangePosition;
  beforeAll(async () => {
    start = await log.currentPosition();
    for (const id of ['b', 'c', 'd']) await upsert(id, 1);
  });

  test('gets the changes after its position', async () => {
    const missed = await take(await log.watch(['Team'], start), 3);
    expect(summariesOf(missed)).toEqual(['CREATED Team b', 'CREATED Team c', 'CREATED Team d']);
    const [, second] = missed;
    const afterSecond = await log.watch(['Team'], { ...start, position: second?.position ?? 0 });
    expect(summariesOf(await take(afterSecond, 1))).toEqual(['CREATED Team d']);
  });

  test.each([{ log: 'another1', checksum: 'other' }, { position: 1e12 }])(
    'reports CHANGES_MISSED for an unknown position: %o',
    async (unknown) => {
      const watch = await log.watch(['Team'], { ...start, ...unknown });
      expect(summariesOf(await take(watch, 1))).toEqual(['CHANGES_MISSED']);
    },
  );
});

test('a transaction that is open while others commit is reported at its position', async () => {
  const watch = await log.watch(['Team']);
  const slow = new Client({ connectionString: app.databaseUrl });
  await slow.connect();
  await slow.query('begin');
  await slow.query(`insert into team (id) values ('slow')`);
  await upsert('quick', 1);
  setTimeout(() => void slow.query('commit'), 300);
  const events = await take(watch, 2);
  const positions = events.map(({ position }) => position);
  expect({ events: summariesOf(events), positions }).toEqual({
    events: ['CREATED Team slow', 'CREATED Team quick'],
    positions: [...positions].sort((a, b) => a - b),
  });
  await slow.end();
});

test('the daily job deletes old changes, and a watch from before them reports CHANGES_MISSED', async () => {
  const start = await log.currentPosition();
  await upsert('old', 1);
  await app.sql.rows(`update change set at = now() - interval '8 days'`);
  const live = modules.find(({ name }) => name === 'live');
  await live?.dailyJobs?.[0]?.run(app.sql, app.resources.services);
  expect(await app.sql.rows('select 1 from change')).toEqual([]);
  expect(summariesOf(await take(await log.watch(['Team'], start), 1))).toEqual(['CHANGES_MISSED']);
});

test('a watch reports CHANGES_MISSED once after a committed truncate, and nothing after one that was rolled back', async () => {
  const start = await log.currentPosition();
  const watch = await log.watch(['Team']);
  const other = new Client({ connectionString: app.databaseUrl });
  await other.connect();
  await other.query('begin; truncate sponsor; rollback');
  await upsert('before', 1);
  const events: WatchEvent[] = [(await watch.next()).value];
  await other.query('begin; truncate team');
  await app.graphql('mutation { upsertLeague(input: { id: "meanwhile" }) { id } }');
  await other.query('commit');
  events.push((await watch.next()).value);
  await upsert('after', 1);
  events.push(...(await take(watch, 1)));
  expect(summariesOf(events)).toEqual(['CREATED Team before', 'CHANGES_MISSED', 'CREATED Team after']);
  expect(summariesOf(await take(await log.watch(['Team'], start), 1))).toEqual(['CHANGES_MISSED']);
  await other.end();
});

test('after `courtside admin changes renew`, open watches and those from earlier positions report CHANGES_MISSED', async () => {
  const start = await log.currentPosition();
  const watch = await log.watch(['Team']);
  await runAdmin(['changes', 'renew', '--database-url', app.databaseUrl], () => undefined);
  const open = [(await watch.next()).value];
  const resumed = await take(await log.watch(['Team'], start), 1);
  await upsert('renewed', 1);
  expect({ open: summariesOf(open), resumed: summariesOf(resumed), later: summariesOf(await take(watch, 1)) }).toEqual({
    open: ['CHANGES_MISSED'],
    resumed: ['CHANGES_MISSED'],
    later: ['CREATED Team renewed'],
  });
});

test('`liveCursor` is the current position in the log', async () => {
  const { liveCursor } = await app.graphql('{ liveCursor }');
  expect(parseChangeCursor(liveCursor)).toEqual(await log.currentPosition());
});

test('every record has log triggers with its reference columns, unless it is declared unlogged', async () => {
  const rows = await app.sql.rows<{ table: string; source: string; isStatementTrigger: boolean }>(
    `select c.relname as table, p.prosrc as source, t.tgname = 'logged_insert' as "isStatementTrigger" from pg_trigger t
     join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid where t.tgname in ('logged', 'logged_insert', 'logged_change')`,
  );
  const truncated = await app.sql.rows<{ table: string; record: string }>(
    `select tgrelid::regclass::text as table, convert_from(trim(trailing '\\000' from tgargs), 'UTF8') as record
     from pg_trigger where tgname = 'logged_truncate'`,
  );
  for (const cls of modules.flatMap(({ records }) => records)) {
    const { table, unlogged, changeLogColumns = [] } = optionsOf(cls);
    const [truncateRecord] = truncated.flatMap((row) => (row.table === table ? [row.record] : []));
    expect({ table, truncateRecord }).toEqual({ table, truncateRecord: unlogged ? undefined : metaOf(cls).name });
    const triggers = rows.filter((row) => row.table === table);
    const rowTriggers = triggers.filter(({ isStatementTrigger }) => !isStatementTrigger).length;
    expect({ table, rowTriggers }).toEqual({ table, rowTriggers: unlogged ? 0 : 2 });
    const refs = changeLogColumns.map((key) => columnOf(metaOf(cls), key).column);
    for (const { source } of triggers) {
      const sourceRefs = [...source.matchAll(/'(\w+)=' \|\| (?:new|added)\./g)].map(([, column]) => column);
      const hasRecordName = source.includes(`'${metaOf(cls).name}'`);
      expect({ table, hasRecordName, refs: sourceRefs }).toEqual({ table, hasRecordName: true, refs });
    }
  }
});

test('all inserts of a table with a statement trigger are logged, each row once', async () => {
  const tables = await app.sql.rows<{ table: string }>(
    `select tgrelid::regclass::text as table from pg_trigger where tgname = 'logged_insert'
     except select tgrelid::regclass::text from pg_trigger where tgname = 'logged' and tgtype = 9`,
  );
  expect(tables).toEqual([]);
  const watch = await log.watch(['Registration']);
  await app.sql.rows(
    `insert into registration (id, tournament_id) values ('r1', 'cup'), ('r2', null) on conflict (id) do nothing`,
  );
  await app.sql.rows(
    `insert into registration (id, tournament_id) values ('r2', 'cup'), ('r3', 'cup') on conflict (id) do nothing`,
  );
  const changes = (await take(watch, 3)) as Change[];
  expect(changes.map(({ kind, id, refs }) => ({ kind, id, refs }))).toEqual([
    { kind: 'CREATED', id: 'r1', refs: ['tournamentId=cup'] },
    { kind: 'CREATED', id: 'r2', refs: [] },
    { kind: 'CREATED', id: 'r3', refs: ['tournamentId=cup'] },
  ]);
});

test('an update of any single column is logged, except of `updated_at`', async () => {
  const rows = await app.sql.rows<{ table: string; trigger_columns: string[]; columns: string[] }>(
    `select c.relname as table,
       array(select attname::text from unnest(t.tgattr::int2[]) n
             join pg_attribute on attrelid = c.oid and attnum = n order by 1) as trigger_columns,
       array(select attname::text from pg_attribute
             where attrelid = c.oid and attnum > 0 and not attisdropped and attname <> 'updated_at' order by 1) as columns
     from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'logged_change'`,
  );
  expect(rows.length).toBeGreaterThan(50);
  // A trigger without a column list fires for all columns. Tables without `updated_at` have such a trigger.
  for (const { table, trigger_columns, columns } of rows)
    expect({ table, trigger_columns }).toEqual({ table, trigger_columns: trigger_columns.length ? columns : [] });
  const tablesWithColumnList = rows.filter((row) => row.trigger_columns.length).map(({ table }) => table);
  const recordsWithUpdatedAt = modules
    .flatMap(({ records }) => records)
    .filter((cls) => !optionsOf(cls).unlogged && metaOf(cls).fields.has('updatedAt'));
  expect(tablesWithColumnList.sort()).toEqual(recordsWithUpdatedAt.map((cls) => optionsOf(cls).table).sort());
});
