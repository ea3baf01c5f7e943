import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../../src/modules/accounts/passwords/password.js';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { bcryptHash, directoryWith, type FileContent, importedUsers, refusedIn } from '../../support/fixtures/record-files.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

let database: Database;
let client: Client;
beforeAll(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await importRecords(database.url, await directoryWith({ 'app_user.ndjson': importedUsers }));
}, 60_000);
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

const rowsOf = async (query: string): Promise<unknown[]> => (await client.query(query)).rows;

const sha256 = (text: string, encoding: 'hex' | 'base64url') => createHash('sha256').update(text).digest(encoding);

test('an import accepts tokens of platforms by value and by SHA-256', async () => {
  const directory = await directoryWith({
    'platform.ndjson': [
      { id: 'p1', title: 'By value', token: 'old-token-1' },
      { id: 'p2', title: 'By hexadecimal hash', token_hash: sha256('old-token-2', 'hex') },
      { id: 'p3', title: 'By hash', token_hash: sha256('old-token-3', 'base64url') },
    ],
  });
  await importRecords(database.url, directory);
  expect(await rowsOf(`select token_hash from platform where id like 'p_' order by id`)).toEqual(
    [1, 2, 3].map((number) => ({ token_hash: sha256(`old-token-${number}`, 'base64url') })),
  );
});

test('an import stores the first characters of tokens and keys, as the graph does', async () => {
  const importHints = async (name: string, rows: readonly object[]) => {
    const [result] = await importRecords(database.url, await directoryWith({ [`${name}.ndjson`]: rows }));
    return result;
  };
  const byHash = (id: string, token: string) => ({ id, title: id, token_hash: sha256(token, 'hex') });
  const platforms = [
    { id: 'hint1', title: 'hint1', token: 'first-long-token-1' },
    { id: 'hint2', title: 'hint2', token: 'second-long-token', token_hint: 'own' },
    { id: 'hint3', title: 'hint3', token: 'third-long-token-3' },
    { id: 'hint4', title: 'hint4', token: 'fourth-long-token' },
    { id: 'hint5', title: 'hint5', token: 'short' },
  ];
  const keys = [
    { id: 'hint1', platform_id: 'hint1', key: 'pk_0123456789abcdef' },
    { id: 'hint2', platform_id: 'hint1', key_hash: sha256('pk_2', 'hex') },
  ];
  const results = [await importHints('platform', platforms), await importHints('publishable_key', keys)];
  const repeated = await importHints('platform', platforms);
  const hashes = await importHints('platform', [byHash('hint3', 'third-long-token-3'), byHash('hint4', 'another-token')]);
  expect({
    counts: [...results, repeated, hashes].map((each) => [each?.writtenRows, each?.equalRows, each?.refusedRows]),
    platforms: await rowsOf(`select token_hint from platform where id like 'hint_' order by id`),
    keys: await rowsOf(`select hint from publishable_key where id like 'hint_'`),
  }).toEqual({
    counts: [
      [5, 0, 0],
      [1, 0, 1],
      [0, 5, 0],
      [1, 1, 0],
    ],
    // The token of hint4 is replaced by a token with unknown first characters. The first characters of a short token are not revealed.
    platforms: ['firs', 'own', 'thir', null, null].map((token_hint) => ({ token_hint })),
    keys: [{ hint: 'pk_0123' }],
  });
});

test('an import refuses publishable keys without the prefix, and short keys', async () => {
  await importRecords(database.url, await directoryWith({ 'platform.ndjson': [{ id: 'keys', title: 'Keys' }] }));
  const keyOf = (id: string, key: unknown, others: object = {}) => ({ id, platform_id: 'keys', key, ...others });
  const directory = await directoryWith({
    'publishable_key.ndjson': [
      keyOf('valid', 'pk_0123456789abc'),
      keyOf('short', 'pk_0123456789ab'),
      keyOf('unprefixed', '0123456789abcdef-long'),
      keyOf('number', 1234567890123456),
      keyOf('with-hint', 'pk_short', { hint: 'pk_s' }),
    ],
  });
  const [result] = await importRecords(database.url, directory);
  const expected = 'a publishable key of 16 to 1000 characters with the prefix `pk_`';
  expect({ written: result?.writtenRows, refused: await refusedIn(directory) }).toEqual({
    written: 1,
    refused: ['short', 'unprefixed', 'number', 'with-hint'].map((id, index) => ({
      file: 'publishable_key.ndjson',
      line: index + 2,
      id,
      column: 'key',
      expected,
    })),
  });
});

/** Imports a file of platforms. Returns the result, the titles and the hashes of the platforms with IDs that start with `prefix`. */
async function importPlatforms(prefix: string, name: string, content: FileContent) {
  const [result] = await importRecords(database.url, await directoryWith({ [name]: content }));
  const hashes = await rowsOf(
    `select title, token_hash, previous_token_hash from platform where id like '${prefix}%' order by id`,
  );
  return { result, hashes };
}

test.each([null, ''])('an import ignores the token %j, and uses the hash of the token', async (token) => {
  const prefix = token === null ? 'null' : 'empty';
  const secrets = { token, token_hash: sha256(`${prefix}-1`, 'hex'), previous_token: token };
  const previous = { previous_token_hash: sha256(`${prefix}-2`, 'hex') };
  expect(await importPlatforms(prefix, 'platform.ndjson', [{ id: prefix, title: prefix, ...secrets, ...previous }])).toEqual({
    result: expect.objectContaining({ writtenRows: 1, refusedRows: 0 }),
    hashes: [
      {
        title: prefix,
        token_hash: sha256(`${prefix}-1`, 'base64url'),
        previous_token_hash: sha256(`${prefix}-2`, 'base64url'),
      },
    ],
  });
});

test('an import of CSV accepts a token in one row and the hash of a token in another', async () => {
  const rows = `mixed1,Mixed 1,mixed-token-1,\nmixed2,Mixed 2,,${sha256('mixed-token-2', 'hex')}\nmixed3,Mixed 3,"",${sha256('mixed-token-3', 'hex')}\n`;
  const { hashes } = await importPlatforms('mixed', 'platform.csv', `id,title,token,token_hash\n${rows}`);
  expect(hashes).toEqual(
    [1, 2, 3].map((number) => ({
      title: `Mixed ${number}`,
      token_hash: sha256(`mixed-token-${number}`, 'base64url'),
      previous_token_hash: null,
    })),
  );
});

test.each([
  ['empty tokens', 'kept1', 'platform.csv', 'id,title,token\nkept1,Changed kept1,\n'],
  ['empty quoted tokens', 'kept2', 'platform.csv', 'id,title,token\nkept2,Changed kept2,""\n'],
  [
    'null hashes',
    'kept3',
    'platform.ndjson',
    [{ id: 'kept3', title: 'Changed kept3', token_hash: null, previous_token_hash: null }],
  ],
  [
    'empty hashes',
    'kept4',
    'platform.ndjson',
    [{ id: 'kept4', title: 'Changed kept4', token_hash: '', previous_token_hash: '' }],
  ],
])('an import with %s keeps the stored hashes of the platform', async (_, id, name, content) => {
  const secrets = { token: `${id}-token`, previous_token: `${id}-previous` };
  await importRecords(database.url, await directoryWith({ 'platform.ndjson': [{ id, title: id, ...secrets }] }));
  expect(await importPlatforms(id, name, content)).toEqual({
    result: expect.objectContaining({ writtenRows: 1, refusedRows: 0 }),
    hashes: [
      {
        title: `Changed ${id}`,
        token_hash: sha256(secrets.token, 'base64url'),
        previous_token_hash: sha256(secrets.previous_token, 'base64url'),
      },
    ],
  });
});

test.each([null, ''])('an import with the password hash %j keeps the stored hash', async (passwordHash) => {
  const id = passwordHash === null ? 'nullPassword' : 'emptyPassword';
  const importUser = async (user: object) =>
    importRecords(database.url, await directoryWith({ 'app_user.ndjson': [{ id, ...user }] }));
  await importUser({ password_hash: bcryptHash });
  const [result] = await importUser({ first_name: 'Cara', password_hash: passwordHash });
  expect({ result, rows: await rowsOf(`select first_name, password_hash from app_user where id = '${id}'`) }).toEqual({
    result: expect.objectContaining({ writtenRows: 1, refusedRows: 0 }),
    rows: [{ first_name: 'Cara', password_hash: bcryptHash }],
  });
});

test('an import refuses an empty value of a required secret, and keeps the stored hash', async () => {
  const id = 'link';
  const importLink = async (secrets: object) => {
    const directory = await directoryWith({ 'calendar_link.ndjson': [{ id, user_id: 'ana', ...secrets }] });
    return { directory, results: await importRecords(database.url, directory) };
  };
  const hash = sha256('link-token', 'base64url');
  await importLink({ token: '', token_hash: hash });
  const { directory } = await importLink({ token: '' });
  expect({
    refused: await refusedIn(directory),
    rows: await rowsOf(`select token_hash from calendar_link where id = '${id}'`),
  }).toEqual({
    refused: [{ file: 'calendar_link.ndjson', line: 1, id, column: 'token_hash', expected: 'a value' }],
    rows: [{ token_hash: hash }],
  });
});

const otherBcrypt = bcryptHash.replace(/.{4}$/, 'abcd');
const argon2 = (cost: string) => `$argon2id$v=19$${cost}$c2FsdHNhbHRzYWx0$VGhpcyBpcyBhIGhhc2ggb2YgMzIgYnl0ZXMuLi4uLi4`;

test.each<[name: string, imported: string, repeated: string, isSetHere: boolean, expected: 'stored' | 'repeated']>([
  ['keeps a hash of this service instead of the earlier hash', bcryptHash, bcryptHash, true, 'stored'],
  ['keeps a hash of this service instead of a new hash', bcryptHash, otherBcrypt, true, 'stored'],
  [
    'keeps a hash of this service instead of an argon2id hash with another cost',
    argon2('m=65536,t=4,p=1'),
    argon2('m=65536,t=4,p=1'),
    true,
    'stored',
  ],
  [
    'keeps a hash of this service instead of a parallel argon2id hash',
    argon2('m=19456,t=2,p=4'),
    argon2('m=19456,t=2,p=4'),
    true,
    'stored',
  ],
  ['replaces a hash of the other system', bcryptHash, otherBcrypt, false, 'repeated'],
  ['replaces a hash with one of the same kind', bcryptHash, argon2('m=19456,t=2,p=1'), true, 'repeated'],
])('a repeated import of password hashes %s', async (name, imported, repeated, isSetHere, expected) => {
  const id = name.replaceAll(' ', '-');
  const importHash = async (password_hash: string) =>
    importRecords(database.url, await directoryWith({ 'app_user.ndjson': [{ id, password_hash }] }));
  await importHash(imported);
  const stored = isSetHere ? await hashPassword('a new password') : imported;
  await client.query('update app_user set password_hash = $2 where id = $1', [id, stored]);
  const [result] = await importHash(repeated);
  expect({ result, rows: await rowsOf(`select password_hash from app_user where id = '${id}'`) }).toEqual({
    result: expect.objectContaining({ writtenRows: expected === 'stored' ? 0 : 1, refusedRows: 0 }),
    rows: [{ password_hash: expected === 'stored' ? stored : repeated }],
  });
});

test('an import refuses a row with a token and an invalid hash', async () => {
  const directory = await directoryWith({ 'platform.ndjson': [{ id: 'both', title: 'Both', token: 'both-1', token_hash: 'x' }] });
  await importRecords(database.url, directory);
  expect(await refusedIn(directory)).toEqual([
    {
      file: 'platform.ndjson',
      line: 1,
      id: 'both',
      column: 'token_hash',
      expected: 'a SHA-256 in base64url (43 characters) or hexadecimal (64 digits)',
    },
  ]);
});

test('an import refuses a token that is the previous token of another platform, or has another hash', async () => {
  const row = (id: string, secrets: object) => ({ id, title: id, ...secrets });
  const platforms = [
    row('shared1', { token: 'shared-1', previous_token: 'shared-2' }),
    row('shared2', { token: 'shared-2' }),
    row('shared3', { token: 'shared-3', previous_token: 'shared-1' }),
    row('shared4', { token: 'shared-4', token_hash: sha256('shared-5', 'hex') }),
    row('shared5', { token: 'shared-5', token_hash: sha256('shared-5', 'hex') }),
  ];
  const importRows = async (rows: readonly object[]) => {
    const directory = await directoryWith({ 'platform.ndjson': rows });
    const [result] = await importRecords(database.url, directory);
    return { written: result?.writtenRows, refused: result?.refusedRows ? await refusedIn(directory) : [] };
  };
  const problem = (line: number, id: string, column: string, expected: string) => ({
    file: 'platform.ndjson',
    line,
    id,
    column,
    expected,
  });
  const noOther = (column: string) => `a value that no other row has in ${column}`;
  expect({ together: await importRows(platforms), later: await importRows(platforms.slice(1, 2)) }).toEqual({
    together: {
      written: 2,
      refused: [
        problem(2, 'shared2', 'token_hash', noOther('previous_token_hash')),
        problem(3, 'shared3', 'previous_token_hash', noOther('token_hash')),
        problem(4, 'shared4', 'token_hash', 'the SHA-256 of the value in `token`'),
      ],
    },
    later: { written: 0, refused: [problem(1, 'shared2', 'token_hash', noOther('previous_token_hash'))] },
  });
});
