import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('an import keeps IDs, dates, creators and password hashes, and sets defaults', async () => {
  expect(
    await rowsOf(`select id, email, first_name, slug, password_hash, created_by_id, role_ids, version,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as created_at from app_user where id = 'ana' or id = '7' order by email`),
  ).toEqual([
    {
      id: 'ana',
      email: 'ana@example.com',
      first_name: 'Ana',
      slug: 'ana',
      password_hash: bcryptHash,
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
  await importRecords(database.url, await directoryWith({ 'app_user.ndjson': importedUsers }), { isDryRun: true });
  expect(await rowsOf(`select reloptions from pg_class where relname = 'search_text_text_idx'`)).toEqual([
    { reloptions: ['gin_pending_list_limit=64'] },
  ]);
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
    user(1, 'u1', 'email', 'a value that no other row has'),
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

test('with acceptsMissingReferences, an import accepts references to missing rows, as /v1 does', async () => {
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
  const [repeated] = await importRecords(database.url, await directoryWith({ 'app_user.ndjson': importedUsers }));
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
    rows: [{ first_name: 'Anna', password_hash: bcryptHash, version: 2 }],
  });
});

test('a changed row without a version gets the next version, even if other rows of the file contain one', async () => {
  const importUsers = async (first_name: string) =>
    importRecords(
      database.url,
      await directoryWith({
        'app_user.ndjson': [
          { id: 'version1', first_name, version: 7 },
          { id: 'version2', first_name },
        ],
      }),
    );
  await importUsers('First');
  await importUsers('Second');
  await importUsers('Second');
  expect(await rowsOf(`select id, version from app_user where id like 'version_' order by id`)).toEqual([
    { id: 'version1', version: 7 },
    { id: 'version2', version: 2 },
  ]);
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
  const withDirectory = await directoryWith({});
  await mkdir(join(withDirectory, name));
  await expect(importRecords(database.url, withDirectory)).rejects.toThrow(
    `${join(withDirectory, name)} is a directory: expected a file with rows of the table club.`,
  );
  const withBrokenLink = await directoryWith({});
  await symlink('missing', join(withBrokenLink, name));
  await expect(importRecords(database.url, withBrokenLink)).rejects.toThrow(
    `${name} is a symbolic link to a file that does not exist.`,
  );
});

test('an import accepts a byte order mark before NDJSON', async () => {
  const [result] = await importRecords(database.url, await directoryWith({ 'club.ndjson': '\ufeff{"id": "marked"}\r\n' }));
  expect(result).toMatchObject({ readRows: 1, writtenRows: 1 });
});

test('an imported category raises the number of the next created category', async () => {
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
  [
    'columns without a name or with spaces',
    { 'club.csv': 'id, title ,\nc1,x,\n' },
    /^Some files have columns that are not in the data dictionary: club\.csv \("", " title "\)\./,
  ],
  [
    'many unknown columns',
    { 'club.ndjson': [Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`column${10 + index}`, 1]))] },
    /^Some files have columns that are not in the data dictionary: club\.ndjson \(column10, [^)]*, column19, …\)\./,
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
    { 'club.ndjson': Buffer.from('{"id": "c0"}\n{"id": "c1", "title": "Caf\xe9"}\n', 'latin1') },
    /club\.ndjson is not UTF-8 at line 2: convert/,
  ],
  [
    'CSV that is not UTF-8',
    { 'club.csv': Buffer.from('id,title\nc1,Caf\xe9\n', 'latin1') },
    /club\.csv is not UTF-8 at line 2: convert/,
  ],
  [
    'CSV that ends within a character',
    { 'club.csv': Buffer.from('id,title\nc1,Caf\xc3', 'latin1') },
    /club\.csv is not UTF-8 at line 2: convert/,
  ],
  [
    'an unclosed quote',
    { 'club.csv': 'id,title\n\n"c1,One\nc2,Two\n' },
    /club\.csv is not valid CSV: line 3 has a field that starts with a quote, but has no closing quote\.$/,
  ],
  [
    'a quote within a field, which the message does not repeat',
    { 'club.csv': 'id,title\nc1,secret "word"\n' },
    /club\.csv is not valid CSV: line 2 has a quote in a field that does not start with a quote\. Put the field in quotes, and double each quote in it\.$/,
  ],
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
