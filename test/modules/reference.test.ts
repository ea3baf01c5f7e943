import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../src/kernel/session.js';
import { loadReference } from '../../src/modules/reference/load.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test('a country has its states, and a state its country', async () => {
  const query = `{ country(id: "840") { states(first: 1, filter: { code: { eq: "US-TX" } }) { nodes { id abbreviation country { alpha2 } } totalCount } } }`;
  expect(await app.graphql(query)).toEqual({
    country: { states: { nodes: [{ id: '48', abbreviation: 'TX', country: { alpha2: 'US' } }], totalCount: 1 } },
  });
});

test('a role shows the roles that it includes', async () => {
  const query = '{ roles(filter: { title: { eq: "NEWS_ADMIN" } }) { nodes { inherits { title } } } }';
  const inherits = ['USER', 'CONTENT_CREATOR', 'NEWS_CREATOR', 'CONTENT_CONFIRMER'].map((title) => ({ title }));
  expect(await app.graphql(query)).toEqual({ roles: { nodes: [{ inherits }] } });
});

test('rows of another version become those of this one, and no others are written', async () => {
  const rows = () => app.sql.rows('select id, title, abbreviation, xmin::text as written from currency order by id');
  const before = await rows();
  await app.sql.rows(`update currency set title = 'Old' where id = '978'`);
  await app.sql.rows(`delete from currency where id = '840'`);
  await loadReference(app.sql);
  const after = await rows();
  const same = ({ written: _, ...row }: Row) => row;
  expect([after.map(same), after.filter(({ id, written }) => written !== before.find((row) => row.id === id)?.written)]).toEqual([
    before.map(same),
    [expect.objectContaining({ id: '840' }), expect.objectContaining({ id: '978' })],
  ]);
});

test('everybody may read reference data, and nobody may write it', async () => {
  const read = await app.graphql('{ currency(id: "978") { abbreviation } }', {}, {});
  const write = await app.graphql('mutation { deleteCurrency(id: "978") { id } }');
  expect([read, write.errors]).toEqual([{ currency: { abbreviation: 'EUR' } }, [expect.stringContaining('deleteCurrency')]]);
});
