import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../../src/kernel/session.js';
import { loadReference } from '../../../src/modules/reference/load-sql.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test('a country has its states, and a state has its country', async () => {
  const query = `{ country(id: "840") { states(first: 1, filter: { code: { eq: "US-TX" } }) { nodes { id abbreviation country { alpha2 } } totalCount } } }`;
  expect(await app.graphql(query)).toEqual({
    country: { states: { nodes: [{ id: '48', abbreviation: 'TX', country: { alpha2: 'US' } }], totalCount: 1 } },
  });
});

test('a role shows the roles that it inherits', async () => {
  const query = '{ roles(filter: { title: { eq: "NEWS_ADMIN" } }) { nodes { inherits { title } } } }';
  const inherits = ['USER', 'CONTENT_CREATOR', 'NEWS_CREATOR', 'CONTENT_CONFIRMER'].map((title) => ({ title }));
  expect(await app.graphql(query)).toEqual({ roles: { nodes: [{ inherits }] } });
});

test('loading reference data restores changed and deleted rows, and does not write other rows', async () => {
  // xmin is the transaction that wrote the row last.
  const rows = () => app.sql.rows('select id, title, abbreviation, xmin::text from currency order by id');
  const before = await rows();
  await app.sql.rows(`update currency set title = 'Old' where id = '978'`);
  await app.sql.rows(`delete from currency where id = '840'`);
  await loadReference(app.sql);
  const after = await rows();
  const withoutXmin = ({ xmin: _, ...row }: Row) => row;
  const writtenRows = after.filter(({ id, xmin }) => xmin !== before.find((row) => row.id === id)?.xmin);
  expect(after.map(withoutXmin)).toEqual(before.map(withoutXmin));
  expect(writtenRows.map(({ id }) => id)).toEqual(['840', '978']);
});

test('a client without a token can read reference data', async () => {
  expect(await app.graphql('{ currency(id: "978") { abbreviation } }', {}, {})).toEqual({ currency: { abbreviation: 'EUR' } });
});

test('a platform cannot write reference data, because there are no mutations for it', async () => {
  const { errors } = await app.graphql('mutation { deleteCurrency(id: "978") { id } }');
  expect(errors).toEqual([expect.stringContaining('deleteCurrency')]);
});
