import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../../src/modules/accounts/passwords/password.js';
import { exportDatabase } from '../../../src/transfer/export-database.js';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { recordTables } from '../../../src/transfer/tables.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

const bcrypt = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

/** Valid rows of other records, to which the rows of the tests refer. */
const users = [
  {
    id: 'ana',
    email: 'Ana@Example.com',
    first_name: 'Ana',
    password_hash: bcrypt,
    created_at: '2019-01-02T03:04:05.123456+02:00',
  },
  { id: 7, email: 'bob@example.com', first_name: 'Tab\t\\ "Bob"\n', created_by_id: 'ana', role_ids: [] },
];

let database: Database;
let client: Client;
beforeAll(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await importRecords(database.url, await directoryWith({ 'app_user.ndjson': users }));
}, 60_000);
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

type FileContent = string | Buffer | readonly object[];

/** Writes files with rows to a new directory. Text and bytes are written unchanged. */
async function directoryWith(files: Record<string, FileContent>): Promise<string> {
  const directory = join(await scratchDirectory(), 'records');
  await mkdir(directory);
  for (const [name, rows] of Object.entries(files))
    await writeFile(
      join(directory, name),
      typeof rows === 'string' || Buffer.isBuffer(rows) ? rows : rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
  return directory;
}

const rowsOf = async (query: string): Promise<unknown[]> => (await client.query(query)).rows;

async function refusedIn(directory: string): Promise<unknown[]> {
  const lines = (await readFile(join(directory, 'refused.ndjson'), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

const sha256 = (text: string, encoding: 'hex' | 'base64url') => createHash('sha256').update(text).digest(encoding);

test('an import keeps IDs, dates, creators and password hashes, and sets defaults', async () => {
  expect(
    await rowsOf(`select id, email, first_name, slug, password_hash, created_by_id, role_ids, version,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as created_at from app_user where id = 'ana' or id = '7' order by email`),
  ).toEqual([
    {
      id: 'ana',
      email: 'ana@example.com',
      first_name: 'Ana',
      slug: '~ana',
      password_hash: bcrypt,
      created_by_id: null,
      role_ids: [],
      version: 1,
      created_at: '2019-01-02T01:04:05.123456',
    },
    expect.objectContaining({ id: '7', email: 'bob@example.com', first_name: 'Tab\t\\ "Bob"\n', created_by_id: 'ana' }),
  ]);
});

test('a dry run resets the index of search texts after an import that was killed', async () => {
  await client.query('alter index search_text_text_idx set (gin_pending_list_limit = 16384)');
  await importRecords(database.url, await directoryWith({ 'app_user.ndjson': users }), { isDryRun: true });
  expect(await rowsOf(`select reloptions from pg_class where relname = 'search_text_text_idx'`)).toEqual([
    { reloptions: ['gin_pending_list_limit=64'] },
  ]);
});

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

/** Imports a file of platforms. Returns the result, the titles and the hashes of the platforms whose IDs start with `prefix`. */
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
  await importUser({ password_hash: bcrypt });
  const [result] = await importUser({ first_name: 'Cara', password_hash: passwordHash });
  expect({ result, rows: await rowsOf(`select first_name, password_hash from app_user where id = '${id}'`) }).toEqual({
    result: expect.objectContaining({ writtenRows: 1, refusedRows: 0 }),
    rows: [{ first_name: 'Cara', password_hash: bcrypt }],
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

test('an import refuses invalid rows, lists them with the expected value, and imports the others', async () => {
  const directory = await directoryWith({
    'app_user.ndjson': [
      { id: 'u1', email: 'ana@example.com' },
      { id: 'u2', email: 'u2@example.com' },
      { id: 'u2', email: 'other@example.com' },
      { id: 'u3', email: 'U2@example.com' },
      { id: 'u4', email: 'no address', latitude: 91, gender: 'X', version: 1.5, verified_at: 'yesterday' },
      { id: 'u5', password_hash: 'letters', is_super_admin: 'yes', role_ids: 'ADMIN' },
      { first_name: 'None' },
      { id: 'u6', first_name: 'a\u0000b', last_name: 'x'.repeat(201), created_by_id: 'who-left' },
      { id: 'u7', country_id: 'nowhere' },
    ]
      .map((row) => JSON.stringify(row))
      .concat('{"id": ', '')
      .join('\n'),
    'club.ndjson': [{ id: 'c1', title: 'Club' }],
    'tournament.ndjson': [
      { id: 't1', club_id: 'c1', registration_fee: '12345678901234567890.10', sanctions: [{ body: 'USAP', isSanctioned: true }] },
      { id: 't2', club_id: 'c2', registration_fee: '10' },
      { id: 't3', registration_fee: 'much', sanctions: [{ body: 'None' }] },
    ],
    'tournament_event.ndjson': [
      { id: 'e1', tournament_id: 't1' },
      { id: 'e2', tournament_id: 't2' },
    ],
  });
  const results = await importRecords(database.url, directory);
  expect(results).toEqual([
    { table: 'app_user', file: 'app_user.ndjson', readRows: 10, writtenRows: 1, equalRows: 0, refusedRows: 9 },
    { table: 'club', file: 'club.ndjson', readRows: 1, writtenRows: 1, equalRows: 0, refusedRows: 0 },
    { table: 'tournament', file: 'tournament.ndjson', readRows: 3, writtenRows: 1, equalRows: 0, refusedRows: 2 },
    { table: 'tournament_event', file: 'tournament_event.ndjson', readRows: 2, writtenRows: 1, equalRows: 0, refusedRows: 1 },
  ]);
  const user = (line: number, id: string | null, column: string, expected: string) => ({
    file: 'app_user.ndjson',
    line,
    id,
    column,
    expected,
  });
  expect(await refusedIn(directory)).toEqual([
    user(1, 'u1', 'email', 'a value that no existing row with another id has'),
    user(3, 'u2', 'id', 'a value that no earlier line has'),
    user(4, 'u3', 'email', 'a value that no earlier line has'),
    user(5, 'u4', 'email', 'an e-mail address such as ana@example.com'),
    user(5, 'u4', 'gender', 'one of F, M'),
    user(5, 'u4', 'latitude', 'a number from -90 to 90'),
    user(5, 'u4', 'verified_at', 'an RFC 3339 timestamp such as 2026-03-01T09:30:00Z, or a day such as 2026-03-01'),
    user(5, 'u4', 'version', 'a 32-bit integer'),
    user(6, 'u5', 'is_super_admin', 'true or false'),
    user(6, 'u5', 'password_hash', expect.stringContaining('hash')),
    user(6, 'u5', 'role_ids', 'an array of strings'),
    user(7, null, 'id', 'a value'),
    user(8, 'u6', 'first_name', 'text without NUL characters'),
    user(8, 'u6', 'last_name', 'at most 200 characters'),
    user(9, 'u7', 'country_id', 'the id of an existing row of country'),
    user(10, null, '', 'a JSON object'),
    { file: 'tournament.ndjson', line: 2, id: 't2', column: 'club_id', expected: 'the id of an existing row of club' },
    {
      file: 'tournament.ndjson',
      line: 3,
      id: 't3',
      column: 'registration_fee',
      expected: 'a decimal number with at most 30 digits before and 20 after the point',
    },
    {
      file: 'tournament.ndjson',
      line: 3,
      id: 't3',
      column: 'sanctions',
      expected: expect.stringMatching(/^in `body`: one of APP, /),
    },
    {
      file: 'tournament_event.ndjson',
      line: 2,
      id: 'e2',
      column: 'tournament_id',
      expected: 'the id of an existing row of tournament',
    },
  ]);
  expect(await rowsOf(`select id, registration_fee::text as fee, sanctions from tournament`)).toEqual([
    { id: 't1', fee: '12345678901234567890.10', sanctions: [{ body: 'USAP', isSanctioned: true }] },
  ]);
});

test('an import accepts missing references with an option, like /v1', async () => {
  const directory = await directoryWith({ 'team.ndjson': [{ id: 'team1', tournament_id: 'later', player_one_id: '' }] });
  const [result] = await importRecords(database.url, directory, { acceptsMissingReferences: true });
  expect({ result, rows: await rowsOf(`select tournament_id, player_one_id from team where id = 'team1'`) }).toEqual({
    result: expect.objectContaining({ writtenRows: 1, refusedRows: 0 }),
    rows: [{ tournament_id: 'later', player_one_id: '' }],
  });
});

test('an import of CSV distinguishes null from empty text, and parses quotes, numbers, lists and JSON', async () => {
  const directory = await directoryWith({
    'club.csv': '\uFEFFid,title\r\nc8,"Multiple\nlines, and ""quotes"""\r\n',
    'tournament.csv':
      'id,title,details_url,club_id,is_test,location_latitude,registration_fee,starts_at,approvals\r\n' +
      'csv1,,"",c8,TRUE,-12.5,9.90,2026-05-01,"[{""status"":""Approved""}]"\r\n' +
      'csv2,Cup,,,maybe,north,9,2026-05-01T00:00:00Z,{\r\n' +
      'csv3,too few\r\n',
  });
  await importRecords(database.url, directory);
  expect({
    clubs: await rowsOf(`select title from club where id = 'c8'`),
    tournaments: await rowsOf(
      `select id, title, details_url, club_id, is_test, location_latitude, registration_fee::text, starts_at = '2026-05-01Z' as starts, approvals from tournament where id like 'csv%'`,
    ),
    refused: (await refusedIn(directory)).map((row) => Object.values(Object(row)).slice(1, 4).join(' ')),
  }).toEqual({
    clubs: [{ title: 'Multiple\nlines, and "quotes"' }],
    tournaments: [
      {
        id: 'csv1',
        title: null,
        details_url: '',
        club_id: 'c8',
        is_test: true,
        location_latitude: -12.5,
        registration_fee: '9.90',
        starts: true,
        approvals: [{ status: 'Approved' }],
      },
    ],
    refused: ['3 csv2 approvals', '3 csv2 is_test', '3 csv2 location_latitude', '4  '],
  });
});

test('a repeated import writes nothing, and a changed row is updated', async () => {
  const position = async () =>
    (
      await rowsOf(`select (select last_value from change_position) as position, (select count(*) from audit_entry) as entries`)
    )[0];
  const before = await position();
  const [repeated] = await importRecords(database.url, await directoryWith({ 'app_user.ndjson': users }));
  const after = await position();
  const changed = [{ id: 'ana', email: 'ana@example.com', first_name: 'Anna' }];
  const [updated] = await importRecords(database.url, await directoryWith({ 'app_user.ndjson': changed }));
  expect({
    repeated,
    isUnchanged: JSON.stringify(before) === JSON.stringify(after),
    updated,
    rows: await rowsOf(`select first_name, password_hash, version from app_user where id = 'ana'`),
  }).toEqual({
    repeated: expect.objectContaining({ writtenRows: 0, equalRows: 2 }),
    isUnchanged: true,
    updated: expect.objectContaining({ writtenRows: 1 }),
    rows: [{ first_name: 'Anna', password_hash: bcrypt, version: 2 }],
  });
});

test('a repeated import of users with derived values writes nothing', async () => {
  const image = {
    id: 'derived-image',
    user_id: 'derived3',
    type: 'PROFILE',
    approval_state: 'APPROVED',
    url: 'https://i.test/new',
  };
  const missing = { image_url: 'https://i.test/missing', approved_image_url: 'https://i.test/missing' };
  const files = {
    'user_image.ndjson': [image],
    'app_user.ndjson': [
      { id: 'derived1', slug: '' },
      { id: 'derived2', slug: '', ...missing },
      { id: 'derived3', slug: 'derived-3', ...missing, own_image_url: 'https://i.test/own' },
    ],
  };
  await importRecords(database.url, await directoryWith(files));
  const repeated = await importRecords(database.url, await directoryWith(files));
  expect({
    written: repeated.map(({ table, writtenRows, refusedRows }) => ({ table, writtenRows, refusedRows })),
    users: await rowsOf(
      `select id, slug, image_url, approved_image_url, own_image_url, version from app_user where id like 'derived%' order by id`,
    ),
  }).toEqual({
    written: ['user_image', 'app_user'].map((table) => ({ table, writtenRows: 0, refusedRows: 0 })),
    users: [
      { id: 'derived1', slug: '~derived1', image_url: null, approved_image_url: null, own_image_url: null, version: 1 },
      {
        id: 'derived2',
        slug: '~derived2',
        image_url: 'https://i.test/missing',
        approved_image_url: null,
        own_image_url: null,
        version: 1,
      },
      {
        id: 'derived3',
        slug: 'derived-3',
        image_url: 'https://i.test/new',
        approved_image_url: 'https://i.test/new',
        own_image_url: 'https://i.test/own',
        version: expect.any(Number),
      },
    ],
  });
});

const otherBcrypt = bcrypt.replace(/.{4}$/, 'abcd');
const argon2 = (cost: string) => `$argon2id$v=19$${cost}$c2FsdHNhbHRzYWx0$VGhpcyBpcyBhIGhhc2ggb2YgMzIgYnl0ZXMuLi4uLi4`;

test.each<[name: string, imported: string, repeated: string, isSetHere: boolean, expected: 'stored' | 'repeated']>([
  ['keeps a hash of this service instead of the earlier hash', bcrypt, bcrypt, true, 'stored'],
  ['keeps a hash of this service instead of a new hash', bcrypt, otherBcrypt, true, 'stored'],
  [
    'keeps a hash of this service instead of argon2id of another cost',
    argon2('m=65536,t=4,p=1'),
    argon2('m=65536,t=4,p=1'),
    true,
    'stored',
  ],
  [
    'keeps a hash of this service instead of parallel argon2id',
    argon2('m=19456,t=2,p=4'),
    argon2('m=19456,t=2,p=4'),
    true,
    'stored',
  ],
  ['replaces a hash of the other system', bcrypt, otherBcrypt, false, 'repeated'],
  ['replaces a hash by one of the same kind', bcrypt, argon2('m=19456,t=2,p=1'), true, 'repeated'],
])('a repeated import of passwords %s', async (name, imported, repeated, isSetHere, expected) => {
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

test('an import refuses a row that the database rejects, and writes the other rows of its batch', async () => {
  const entry = {
    record_type: 'User',
    record_key: 'ana',
    action: 'CREATED',
    source: 'SERVICE',
    created_at: '2020-01-01T00:00:00Z',
  };
  const entries = ['a1', 'a2', 'a3'].map((id) => ({ id, ...entry }));
  await importRecords(database.url, await directoryWith({ 'audit_entry.ndjson': entries.slice(0, 2) }));
  const changed = await directoryWith({
    'audit_entry.ndjson': [entries[0], { ...entries[1], action: 'DELETED' }, entries[2]].map((row) => ({ ...row })),
  });
  const [result] = await importRecords(database.url, changed);
  expect({ result, refused: await refusedIn(changed) }).toEqual({
    result: expect.objectContaining({ writtenRows: 1, equalRows: 1, refusedRows: 1 }),
    refused: [
      { file: 'audit_entry.ndjson', line: 2, id: null, column: '', expected: 'a row that the database accepts (error 42501)' },
    ],
  });
});

test('a dry run reports refused rows and writes nothing', async () => {
  const directory = await directoryWith({ 'club.ndjson': [{ id: 'dry' }, { id: 'dry2', title: 1 }] });
  const [result] = await importRecords(database.url, directory, { isDryRun: true });
  expect({
    result,
    refused: await refusedIn(directory),
    rows: await rowsOf(`select id from club where id like 'dry%'`),
    schemas: await rowsOf(`select nspname from pg_namespace where nspname = 'courtside_import'`),
  }).toEqual({
    result: expect.objectContaining({ readRows: 2, writtenRows: 0, refusedRows: 1 }),
    refused: [{ file: 'club.ndjson', line: 2, id: 'dry2', column: 'title', expected: 'a string' }],
    rows: [],
    schemas: [],
  });
});

test.each(['club.ndjson', 'club.csv'])('an import names %s if it cannot be read', async (name) => {
  const message = `${name} cannot be read: expected a file for which the user of the command has permission.`;
  const withDirectory = await directoryWith({});
  await mkdir(join(withDirectory, name));
  await expect(importRecords(database.url, withDirectory)).rejects.toThrow(message);
  const withBrokenLink = await directoryWith({});
  await symlink('missing', join(withBrokenLink, name));
  await expect(importRecords(database.url, withBrokenLink)).rejects.toThrow(message);
});

test('an import accepts a byte order mark before NDJSON', async () => {
  const [result] = await importRecords(database.url, await directoryWith({ 'club.ndjson': '\ufeff{"id": "marked"}\r\n' }));
  expect(result).toMatchObject({ readRows: 1, writtenRows: 1 });
});

test('an imported category raises the number of the next one', async () => {
  await importRecords(database.url, await directoryWith({ 'category.ndjson': [{ id: '500', title: 'Old' }] }));
  expect(await rowsOf(`select nextval('category_number')::int as next`)).toEqual([{ next: 501 }]);
});

test.each<[name: string, files: Record<string, FileContent>, message: RegExp]>([
  [
    'an unknown file',
    { 'players.ndjson': [{}] },
    /contains files that are not in the data dictionary: players\.ndjson\. Expected <table>\.ndjson or <table>\.csv\./,
  ],
  [
    'an unknown column',
    { 'club.ndjson': [{ id: 'c1' }, { id: 'c2', name: 'x' }] },
    /^Some files have columns that are not in the data dictionary: club\.ndjson \(name\)\./,
  ],
  ['two files of a table', { 'club.ndjson': [{ id: 'c1' }], 'club.csv': 'id\n' }, /contains both club\.ndjson and club\.csv/],
  [
    'an incomplete export',
    { 'export.incomplete': '', 'club.ndjson': [{ id: 'c1' }] },
    /contains an incomplete export: delete it/,
  ],
  ['no files', {}, /contains no files to import/],
  [
    'NDJSON that is not UTF-8',
    { 'club.ndjson': Buffer.from('{"id": "c1", "title": "Caf\xe9"}\n', 'latin1') },
    /club\.ndjson is not UTF-8/,
  ],
  ['CSV that is not UTF-8', { 'club.csv': Buffer.from('id,title\nc1,Caf\xe9\n', 'latin1') }, /club\.csv is not UTF-8/],
  ['CSV that ends within a character', { 'club.csv': Buffer.from('id,title\nc1,Caf\xc3', 'latin1') }, /club\.csv is not UTF-8/],
  ['an unclosed quote', { 'club.csv': 'id\n"c1' }, /club\.csv is not valid CSV: /],
  [
    'a repeated column',
    { 'club.csv': 'id,title,title\nc1,a,b\n' },
    /club\.csv is not valid CSV: the header line contains the column title twice\.$/,
  ],
])('an import rejects a directory with %s, and writes nothing', async (_, files, message) => {
  const before = await rowsOf('select * from club order by id');
  await expect(importRecords(database.url, await directoryWith(files))).rejects.toThrow(message);
  expect(await rowsOf('select * from club order by id')).toEqual(before);
});

test('an export of records contains no manifest or internal tables, and can be imported again without a change', async () => {
  const directory = join(await scratchDirectory(), 'exported');
  await exportDatabase(database.url, directory, { records: { since: null } });
  const files = await readdir(directory);
  expect(files.sort()).toEqual(['dictionary.json', ...recordTables.map((table) => `${table}.ndjson`)].sort());
  const results = await importRecords(database.url, directory, { acceptsMissingReferences: true });
  expect(results.filter(({ writtenRows, refusedRows }) => writtenRows + refusedRows > 0)).toEqual([]);
});

test('an export of changes contains the records that were created or changed since a time', async () => {
  await importRecords(
    database.url,
    await directoryWith({
      'club.ndjson': [
        { id: 'old', title: 'Old', created_at: '2020-01-01', updated_at: '2020-01-02' },
        { id: 'created', title: 'Created', created_at: '2040-01-02' },
        { id: 'changed', title: 'Changed', created_at: '2020-01-01', updated_at: '2040-01-02' },
      ],
    }),
  );
  const directory = join(await scratchDirectory(), 'changed');
  await exportDatabase(database.url, directory, { records: { since: new Date('2040-01-01') } });
  const lines = (await readFile(join(directory, 'club.ndjson'), 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual(['changed', 'created']);
  expect(await readFile(join(directory, 'app_user.ndjson'), 'utf8')).toBe('');
  expect(await readdir(directory)).not.toContain('country.ndjson');
});

test('an export of changes contains all rows of tables that do not record the time of a change', async () => {
  await importRecords(
    database.url,
    await directoryWith({
      'app_user.ndjson': [{ id: 'reader', created_at: '2020-01-01', updated_at: '2020-01-01' }],
      'notification.ndjson': [
        { id: 'read-later', user_id: 'reader', event: 'LEAGUE_MESSAGE', content: 'Hi', created_at: '2020-01-01' },
      ],
      'muted_notification.ndjson': [{ user_id: 'reader', type_id: '4' }],
    }),
  );
  const directory = join(await scratchDirectory(), 'changed-without-time');
  await exportDatabase(database.url, directory, { records: { since: new Date('2040-01-01') } });
  const rowsOf = async (table: string) => (await readFile(join(directory, `${table}.ndjson`), 'utf8')).trim().split('\n');
  expect({
    notifications: (await rowsOf('notification')).map((line) => JSON.parse(line).id),
    muted: (await rowsOf('muted_notification')).length,
  }).toEqual({ notifications: ['read-later'], muted: 1 });
});
