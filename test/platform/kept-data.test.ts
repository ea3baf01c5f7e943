import { afterEach, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { migrate } from '../../src/database/migrate.js';
import { connect } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { emptyDatabase } from '../support/database.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
});

test('slugs of news are brought to NFC, unless that address is taken; titles stay as they were sent', async () => {
  const { url, drop } = await emptyDatabase();
  closers.push(drop);
  const orm = await connect({ url });
  closers.push(() => orm.close());
  const sql = new Session(new Pools(orm), 'write');
  const place = migrations.findIndex(({ name }) => name === 'Migration0018Rules');
  await migrate(orm, migrations.slice(0, place));
  const [composed, decomposed] = ['é'.normalize('NFC'), 'é'.normalize('NFD')];
  await sql.rows(
    `insert into news_item (id, slug, title) values ('one', $1 || '-1', $1), ('two', $1 || '-2', $1), ('three', $2 || '-2', $2), ('ascii', 'e', 'e')`,
    [decomposed, composed],
  );
  await migrate(orm);
  expect(await sql.rows('select id, slug, title from news_item order by id')).toEqual([
    { id: 'ascii', slug: 'e', title: 'e' },
    { id: 'one', slug: `${composed}-1`, title: decomposed },
    { id: 'three', slug: `${composed}-2`, title: composed },
    { id: 'two', slug: `${decomposed}-2`, title: decomposed },
  ]);
});
