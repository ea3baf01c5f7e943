import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

const titles = [
  'Austin Open',
  'Open  Austin 2026',
  'Austin Spring-Open',
  'Austin 50% Off',
  'under_score \\ Cup',
  'Été à São Paulo',
  `${'x'.repeat(300)}needle${'y'.repeat(3000)} End`,
  `Cup ${'z'.repeat(101)}`,
  'Au',
  '',
];

let app: TestApp;
let client: Client;
const connect = async () => {
  const connection = new Client({ connectionString: app.databaseUrl });
  await connection.connect();
  return connection;
};
beforeAll(async () => {
  app = await startApp();
  client = await connect();
  for (const [index, title] of titles.entries()) await add(client, String(index), title);
});
afterAll(async () => {
  await client.end();
  await app.close();
});

const add = (connection: Client, id: string, title: string) =>
  connection.query('insert into tournament (id, title) values ($1, $2)', [id, title]);

/** Returns the IDs of the matching tournaments, in the order of the list. */
async function find(filter: object): Promise<string[]> {
  const answer = await app.graphql(
    'query ($filter: TournamentFilter!) { tournaments(filter: $filter, first: 100) { totalCount nodes { id } } }',
    { filter },
  );
  const ids = answer.tournaments.nodes.map(({ id }: { id: string }) => id);
  expect(answer.tournaments.totalCount).toBe(ids.length);
  return ids;
}

const findSorted = async (filter: object) => (await find(filter)).sort();

test.each([
  'open',
  'OPEN',
  'stin op',
  'n  a',
  'austin open',
  'open austin',
  'ring-op',
  '50%',
  '%',
  '_',
  'r_s',
  'score \\ c',
  '\\',
  'ÉTÉ À',
  'ete',
  'são',
  'needle',
  'xneedley',
  'y end',
  'zzz',
  'cup z',
  'au',
  '',
  ' ',
])('contains: %j matches titles case-insensitively', async (contains) => {
  const ids = titles.flatMap((title, id) => (title.toLowerCase().includes(contains.toLowerCase()) ? [String(id)] : []));
  expect(await findSorted({ title: { contains } })).toEqual(ids.sort());
});

test.each([
  ['austin', ['0', '1', '2', '3']],
  ['autsin', ['0', '3', '1', '2']],
  ['ausstin', ['0', '3', '1', '2']],
  // A similar word counts only where no word matches better.
  ['austn opne', ['0', '1']],
  ['austn sprng-opnen', ['2']],
  ['open austin', ['0', '1', '2', '3']],
  ['sao paolo', ['5']],
])('a search for %j ignores word order, tolerates one typo and ranks short names first', async (search, ids) => {
  expect(await find({ search })).toEqual(ids);
});

test.each([
  [{ title: { eq: 'Austin Open' } }, ['0']],
  [{ title: { eq: '' } }, ['9']],
  [{ title: { in: ['Austin Open', 'Au', '', 'austin open'] } }, ['0', '8', '9']],
  [{ title: { eq: titles[6] } }, ['6']],
])('the filter %j finds titles by an exact match', async (filter, ids) => expect(await findSorted(filter)).toEqual(ids));

test.each(['open', 'needle', 'stin op'])('contains: %j finds the same titles inside an or', async (contains) => {
  const withoutOr = await findSorted({ title: { contains } });
  expect(await findSorted({ or: [{ title: { contains } }, { id: { eq: 'none' } }] })).toEqual(withoutOr);
});

test('a search does not find the former words of a renamed or deleted tournament', async () => {
  await add(client, 'one', 'Quokka Cup');
  await add(client, 'other', 'Quokka Open');
  await client.query(`update tournament set title = 'Wombat Cup' where id = 'one'`);
  await client.query(`delete from tournament where id = 'other'`);
  expect({ formerWord: await find({ search: 'quoka' }), newWord: await find({ search: 'wombta' }) }).toEqual({
    formerWord: [],
    newWord: ['one'],
  });
});

test('concurrent writers that add the same new words in different orders do not block each other', async () => {
  const [first, second] = [await connect(), await connect()];
  for (const writer of [first, second]) await writer.query(`begin; set local lock_timeout = '2s'`);
  await add(first, 'first', 'Alpaca');
  await add(second, 'second', 'Vicuna');
  await add(first, 'third', 'Vicuna');
  await add(second, 'fourth', 'Alpaca');
  await first.query('rollback');
  await second.query('commit');
  for (const writer of [first, second]) await writer.end();
  expect({ alpaca: await find({ search: 'alpaka' }), vicuna: await find({ title: { contains: 'cuna' } }) }).toEqual({
    alpaca: ['fourth'],
    vicuna: ['second'],
  });
});
