import { afterEach, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { emptyDatabase } from '../support/servers/test-database.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
});

/** A database in the state before the named migration; `migrateRest` runs that migration and all later ones. */
async function databaseBefore(name: string) {
  const { url, drop } = await emptyDatabase();
  closers.push(drop);
  const orm = await openOrm({ url });
  closers.push(() => orm.close());
  await migrate(
    orm,
    migrations.slice(
      0,
      migrations.findIndex((migration) => migration.name === name),
    ),
  );
  return { sql: new Session(new Pools(orm), 'write'), migrateRest: () => migrate(orm) };
}

test('Migration0018Rules normalizes slugs of news to NFC unless that slug is taken, and leaves titles unchanged', async () => {
  const { sql, migrateRest } = await databaseBefore('Migration0018Rules');
  const [composed, decomposed] = ['é'.normalize('NFC'), 'é'.normalize('NFD')];
  await sql.rows(
    `insert into news_item (id, slug, title) values ('one', $1 || '-1', $1), ('two', $1 || '-2', $1), ('three', $2 || '-2', $2), ('ascii', 'e', 'e')`,
    [decomposed, composed],
  );
  await migrateRest();
  expect(await sql.rows('select id, slug, title from news_item order by id')).toEqual([
    { id: 'ascii', slug: 'e', title: 'e' },
    { id: 'one', slug: `${composed}-1`, title: decomposed },
    { id: 'three', slug: `${composed}-2`, title: composed },
    { id: 'two', slug: `${decomposed}-2`, title: decomposed },
  ]);
});

test('Migration0028Names renames the logo field of sanctions', async () => {
  const { sql, migrateRest } = await databaseBefore('Migration0028Names');
  const sanctions = [{ body: 'PPA', levelLogo: 'https://a.example/1.png' }, { body: 'APP' }];
  await sql.rows('insert into tournament (id, sanctions) values ($1, $2), ($3, $4)', [
    'one',
    JSON.stringify(sanctions),
    'none',
    '[]',
  ]);
  await migrateRest();
  expect(await sql.rows('select id, sanctions from tournament order by id')).toEqual([
    { id: 'none', sanctions: [] },
    { id: 'one', sanctions: [{ body: 'PPA', levelLogoUrl: 'https://a.example/1.png' }, { body: 'APP' }] },
  ]);
});
