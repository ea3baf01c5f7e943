import { afterAll, beforeAll, expect, test } from 'vitest';
import { mainRow } from '../../../src/kernel/declare/expression.js';
import { findRecord, type RecordClass } from '../../../src/kernel/declare/meta.js';
import { anonymousCaller, type Caller } from '../../../src/kernel/declare/policy/caller.js';
import { optionsOf } from '../../../src/kernel/declare/record.js';
import { visibleRows } from '../../../src/kernel/read/conditions/visible.js';
import { subscribableRecords } from '../../../src/modules/live/changes.js';
import { subscribe } from '../../support/clients/event-stream.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

/** Owner of a row: the subscriber (`mine`) or another user (`theirs`). */
interface Owner {
  side: 'mine' | 'theirs';
  userId: string | null;
  platformId: string;
}

type Columns = Record<string, unknown>;
const ofUser = ({ userId }: Owner): Columns => ({ user_id: userId });
const pending = { approval_state: 'PENDING' };

/** Columns that determine who can see a row, keyed by record with restricted rows. There is an invoice and a sponsor for each owner. */
const ownerColumns: Record<string, (owner: Owner) => Columns> = {
  ApprovalComment: ({ userId }) => ({ author_id: userId, item_id: 'hidden' }),
  Biography: (owner) => ({ ...ofUser(owner), ...pending }),
  CalendarLink: ofUser,
  Favorite: ofUser,
  Game: ({ userId, side }) => ({ owner_id: userId, is_invite_only: userId !== null || side === 'theirs' }),
  Invoice: ofUser,
  InvoiceItem: ({ side }) => ({ invoice_id: side }),
  Notification: ofUser,
  Payment: ({ side }) => ({ invoice_id: side }),
  PublishableKey: ({ platformId }) => ({ platform_id: platformId }),
  Sponsor: (owner) => ({ ...ofUser(owner), ...pending }),
  SponsorImage: ({ side }) => ({ sponsor_id: side, ...pending }),
  Sponsorship: ({ side }) => ({ sponsor_id: side }),
  TeamInvitation: ({ userId }) => ({ inviter_id: userId }),
  UserImage: (owner) => ({ ...ofUser(owner), ...pending }),
  UserToken: ofUser,
  Webhook: ({ platformId }) => ({ platform_id: platformId }),
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

/** Inserts a row with placeholder values in the other required columns. */
async function insertRow(table: string, id: string, values: Columns): Promise<void> {
  const required = await app.sql.rows<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 and is_nullable = 'NO' and column_default is null`,
    [table],
  );
  const placeholder = (type: string) =>
    type === 'text' ? id : type === 'boolean' ? false : type.startsWith('timestamp') ? 'now' : 0;
  const row = { ...Object.fromEntries(required.map(({ name, type }) => [name, placeholder(type)])), ...values, id };
  const names = Object.keys(row);
  await app.sql.rows(`insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1::jsonb)`, [
    JSON.stringify(row),
  ]);
}

const platform = { id: 'test-platform', name: '' };
const callers: Record<string, () => { tokens: Tokens; caller: Caller; userId: string | null }> = {
  'a platform': () => ({ tokens: app.platform, caller: { ...anonymousCaller, platform }, userId: null }),
  'a super admin': () => {
    const user = { id: admin.id, isSuperAdmin: true, roles: new Set() } as unknown as NonNullable<Caller['user']>;
    return { tokens: admin, caller: { ...anonymousCaller, user }, userId: user.id };
  },
  'a platform that names a user': () => {
    const user = { id: ana.id, isSuperAdmin: false, roles: new Set() } as unknown as NonNullable<Caller['user']>;
    return { tokens: { ...app.platform, ...ana }, caller: { ...anonymousCaller, platform, user }, userId: user.id };
  },
};

test.each(Object.keys(callers))(
  '%s receives DELETED for the rows of every record that it could see, and for no others',
  async (name) => {
    const { tokens, caller, userId } = (callers[name] as (typeof callers)[string])();
    const records = subscribableRecords(caller).filter(
      (record) => visibleRows(findRecord(record) as RecordClass, caller, mainRow) !== null,
    );
    const owners: readonly Owner[] = [
      { side: 'mine', userId, platformId: platform.id },
      { side: 'theirs', userId: userId && 'another', platformId: 'another' },
    ];
    for (const owner of owners) {
      await insertRow('invoice', owner.side, ofUser(owner));
      await insertRow('sponsor', owner.side, { ...ofUser(owner), ...pending });
    }
    await insertRow('biography', 'hidden', { user_id: 'another', ...pending });
    for (const record of records)
      for (const owner of owners)
        await insertRow(tableOf(record), `${owner.side}-${record}`, (ownerColumns[record] as (owner: Owner) => Columns)(owner));
    const stream = await subscribe(
      app,
      tokens,
      'subscription ($records: [String!]!) { changes(records: $records) { kind record id node { nodeId } } }',
      { records },
    );
    for (const side of ['theirs', 'mine'])
      for (const record of records) await app.sql.rows(`delete from ${tableOf(record)} where id = $1`, [`${side}-${record}`]);
    const events = await stream.until(records.length);
    stream.close();
    expect(events.map(({ data, errors }) => errors ?? data?.changes)).toEqual(
      records.map((record) => ({ kind: 'DELETED', record, id: `mine-${record}`, node: null })),
    );
    for (const { side } of owners)
      for (const table of ['invoice', 'sponsor']) await app.sql.rows(`delete from ${table} where id = $1`, [side]);
    await app.sql.rows(`delete from biography where id = 'hidden'`);
  },
);

test('the deletion of a commented item does not reveal a hidden comment', async () => {
  await insertRow('biography', 'pending', { user_id: 'another', ...pending });
  await insertRow('approval_comment', 'unseen', { item_id: 'pending', author_id: 'another' });
  await insertRow('approval_comment', 'own', { item_id: 'pending', author_id: ana.id });
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

test('a row that becomes hidden is sent once more, without its node', async () => {
  await insertRow('game', 'public', { owner_id: ana.id, title: 'Round', is_invite_only: false });
  const stream = await subscribe(
    app,
    app.platform,
    'subscription { changes(records: ["Game"]) { kind id changedFields node { nodeId } } }',
  );
  await app.sql.rows(`update game set is_invite_only = true, title = 'Secret' where id = 'public'`);
  await app.sql.rows(`update game set title = 'Hidden' where id = 'public'`);
  await app.sql.rows(`delete from game where id = 'public'`);
  await insertRow('game', 'next', { owner_id: ana.id, is_invite_only: false });
  const events = await stream.until(2);
  stream.close();
  expect(events.map(({ data }) => data?.changes)).toMatchObject([
    { kind: 'CHANGED', id: 'public', node: null },
    { kind: 'CREATED', id: 'next', node: { nodeId: expect.any(String) } },
  ]);
});
