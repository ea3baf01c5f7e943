import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, nobody } from '../../src/kernel/declare/caller.js';
import { findRecord, type RecordClass } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { visibleRows } from '../../src/kernel/read/visible.js';
import { followable } from '../../src/modules/live/changes.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { subscribe } from '../support/live.js';

/** Whose a row is. */
interface Whose {
  user: string | null;
  platform: string;
  /** An invoice and a sponsor of theirs. */
  of: 'mine' | 'theirs';
}

type Columns = Record<string, unknown>;
const ofUser = ({ user }: Whose): Columns => ({ user_id: user });
const pending = { approval_state: 'PENDING' };

/** What says who sees a row of each record of which not everybody sees all rows. */
const columns: Record<string, (whose: Whose) => Columns> = {
  ApprovalComment: ({ user }) => ({ author_id: user, item_id: 'hidden' }),
  Biography: (whose) => ({ ...ofUser(whose), ...pending }),
  CalendarLink: ofUser,
  Favorite: ofUser,
  Game: ({ user, of }) => ({ owner_id: user, is_invite_only: user !== null || of === 'theirs' }),
  Invoice: ofUser,
  InvoiceItem: ({ of }) => ({ invoice_id: of }),
  Notification: ofUser,
  Payment: ({ of }) => ({ invoice_id: of }),
  PublishableKey: ({ platform }) => ({ platform_id: platform }),
  Sponsor: (whose) => ({ ...ofUser(whose), ...pending }),
  SponsorImage: ({ of }) => ({ sponsor_id: of, ...pending }),
  Sponsorship: ({ of }) => ({ sponsor_id: of }),
  TeamInvitation: ({ user }) => ({ inviter_id: user }),
  UserImage: (whose) => ({ ...ofUser(whose), ...pending }),
  Webhook: ({ platform }) => ({ platform_id: platform }),
};

let app: TestApp;
let ana: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

const tableOf = (record: string) => optionsOf(findRecord(record) as RecordClass).table;

async function add(table: string, id: string, values: Columns): Promise<void> {
  const needed = await app.sql.rows<{ name: string; kind: string }>(
    `select column_name as name, data_type as kind from information_schema.columns
     where table_name = $1 and is_nullable = 'NO' and column_default is null`,
    [table],
  );
  const fill = (kind: string) => (kind === 'text' ? id : kind === 'boolean' ? false : kind.startsWith('timestamp') ? 'now' : 0);
  const row = { ...Object.fromEntries(needed.map(({ name, kind }) => [name, fill(kind)])), ...values, id };
  const names = Object.keys(row);
  await app.sql.rows(`insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1::jsonb)`, [
    JSON.stringify(row),
  ]);
}

const platform = { id: 'test-platform', name: '' };
const callers: Record<string, () => { tokens: Tokens; caller: Caller; user: string | null }> = {
  'a platform': () => ({ tokens: app.platform, caller: { ...nobody, platform }, user: null }),
  'a super admin': () => {
    const user = { id: admin.id, isSuperAdmin: true, roles: new Set() } as unknown as NonNullable<Caller['user']>;
    return { tokens: admin, caller: { ...nobody, user }, user: user.id };
  },
  'a platform that names a user': () => {
    const user = { id: ana.id, isSuperAdmin: false, roles: new Set() } as unknown as NonNullable<Caller['user']>;
    return { tokens: { ...app.platform, ...ana }, caller: { ...nobody, platform, user }, user: user.id };
  },
};

test.each(Object.keys(callers))('%s hears which rows are gone of those that it saw, of every record', async (who) => {
  const { tokens, caller, user } = (callers[who] as (typeof callers)[string])();
  const records = followable(caller).filter((name) => visibleRows(findRecord(name) as RecordClass, caller, () => '') !== null);
  const whose: Record<Whose['of'], Whose> = {
    mine: { user, platform: platform.id, of: 'mine' },
    theirs: { user: user && 'another', platform: 'another', of: 'theirs' },
  };
  for (const of of ['mine', 'theirs'] as const)
    for (const table of ['invoice', 'sponsor'])
      await add(table, of, { user_id: whose[of].user, ...(table === 'sponsor' ? pending : {}) });
  await add('biography', 'hidden', { user_id: 'another', ...pending });
  for (const record of records)
    for (const of of ['mine', 'theirs'] as const)
      await add(tableOf(record), `${of}-${record}`, (columns[record] as (whose: Whose) => Columns)(whose[of]));
  const stream = await subscribe(
    app,
    tokens,
    'subscription ($records: [String!]!) { changes(records: $records) { kind record id node { nodeId } } }',
    { records },
  );
  for (const of of ['theirs', 'mine'])
    for (const record of records) await app.sql.rows(`delete from ${tableOf(record)} where id = $1`, [`${of}-${record}`]);
  const heard = await stream.until(records.length);
  stream.close();
  expect(heard.map(({ data, errors }) => errors ?? data?.changes)).toEqual(
    records.map((record) => ({ kind: 'DELETED', record, id: `mine-${record}`, node: null })),
  );
  for (const of of ['mine', 'theirs'])
    for (const table of ['invoice', 'sponsor']) await app.sql.rows(`delete from ${table} where id = $1`, [of]);
  await app.sql.rows(`delete from biography where id = 'hidden'`);
});

test('who did not see a comment does not hear of it because its item is gone', async () => {
  await add('biography', 'pending', { user_id: 'another', ...pending });
  await add('approval_comment', 'unseen', { item_id: 'pending', author_id: 'another' });
  await add('approval_comment', 'own', { item_id: 'pending', author_id: ana.id });
  const { liveCursor } = await app.graphql('{ liveCursor }');
  await app.sql.rows(`update approval_comment set content = 'Changed' where id = 'unseen'`);
  await app.sql.rows(`delete from approval_comment where item_id = 'pending' and id = 'unseen'`);
  await app.sql.rows(`delete from biography where id = 'pending'`);
  await app.sql.rows(`delete from approval_comment where item_id = 'pending'`);
  const stream = await subscribe(
    app,
    { ...app.platform, ...ana },
    `subscription { changes(records: ["ApprovalComment"], after: "${liveCursor}") { kind id } }`,
  );
  expect((await stream.until(1)).map(({ data }) => data?.changes)).toEqual([{ kind: 'DELETED', id: 'own' }]);
  stream.close();
});

test('a row that is hidden from now on is told of once more, without what it holds', async () => {
  await add('game', 'public', { owner_id: ana.id, title: 'Round', is_invite_only: false });
  const stream = await subscribe(
    app,
    app.platform,
    'subscription { changes(records: ["Game"]) { kind id changedFields node { nodeId } } }',
  );
  await app.sql.rows(`update game set is_invite_only = true, title = 'Secret' where id = 'public'`);
  await app.sql.rows(`update game set title = 'Hidden' where id = 'public'`);
  await app.sql.rows(`delete from game where id = 'public'`);
  await add('game', 'next', { owner_id: ana.id, is_invite_only: false });
  const heard = await stream.until(2);
  stream.close();
  expect(heard.map(({ data }) => data?.changes)).toMatchObject([
    { kind: 'CHANGED', id: 'public', node: null },
    { kind: 'CREATED', id: 'next', node: { nodeId: expect.any(String) } },
  ]);
});
