import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { dictionary } from '../../../src/transfer/dictionary/dictionary.js';
import { dictionaryPage } from '../../../src/transfer/dictionary/markdown.js';
import { freshDatabase } from '../../support/servers/test-database.js';

test('docs/data-dictionary.md describes the declared records (npm run schema)', () => {
  expect(readFileSync('docs/data-dictionary.md', 'utf8') === dictionaryPage()).toBe(true);
});

test('the dictionary describes all table columns, and says which of them require a value', async () => {
  const database = await freshDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    `select attname as name, attnotnull and not atthasdef as required from pg_class t join pg_attribute on attrelid = t.oid
     where relname = any($1) and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped order by relname, attname`,
    [dictionary().map(({ table }) => table)],
  );
  await client.end();
  await database.drop();
  const described = dictionary()
    .toSorted((a, b) => (a.table < b.table ? -1 : 1))
    .flatMap(({ table, columns }) =>
      columns
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, required }) => ({ name, required: required || (table === 'app_user' && name === 'slug') })),
    );
  expect(described).toEqual(rows);
});

test('the dictionary describes types, limits, values, references and secrets', () => {
  const column = (table: string, name: string) =>
    dictionary()
      .find((each) => each.table === table)
      ?.columns.find((each) => each.name === name);
  expect({
    latitude: column('app_user', 'latitude'),
    role: column('app_user', 'gender')?.values,
    club: column('tournament', 'club_id'),
    creator: column('tournament', 'created_by_id')?.isReferenceChecked,
    token: column('platform', 'token_hash')?.valueKey,
  }).toEqual({
    latitude: expect.objectContaining({ type: 'number', limits: ['from -90 to 90'], required: false }),
    role: ['F', 'M'],
    club: expect.objectContaining({
      type: 'text',
      reference: 'club.id',
      isReferenceChecked: true,
      limits: ['at most 255 characters'],
    }),
    creator: false,
    token: 'token',
  });
});

test('the dictionary says which times and names /v1 and GraphQL return', () => {
  const columns = dictionary().find(({ table }) => table === 'news_item')?.columns ?? [];
  const descriptions = columns.flatMap(({ name, description }) =>
    ['created_at', 'updated_by', 'reported_created_at', 'reported_updated_by'].includes(name) ? [`${name}: ${description}`] : [],
  );
  expect(descriptions.toSorted()).toEqual([
    'created_at: Time of creation. `createdAt` in GraphQL. `/v1` returns `reported_created_at` instead.',
    'reported_created_at: Time of creation. `reported.createdAt` in GraphQL. `/v1` returns only this value.',
    'reported_updated_by: Name of the person who last changed the record. `reported.updatedBy` in GraphQL. `/v1` returns only this value.',
    'updated_by: Name of the user or platform that last changed the record. `updatedBy` in GraphQL. `/v1` returns `reported_updated_by` instead.',
  ]);
});
