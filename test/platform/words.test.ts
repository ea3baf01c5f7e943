import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

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
  const made = new Client({ connectionString: app.databaseUrl });
  await made.connect();
  return made;
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

const add = (by: Client, id: string, title: string) =>
  by.query('insert into tournament (id, title) values ($1, $2)', [id, title]);

async function found(filter: object): Promise<string[]> {
  const answer = await app.graphql(
    'query ($filter: TournamentFilter!) { tournaments(filter: $filter, first: 100) { totalCount nodes { id } } }',
    { filter },
  );
  const ids = answer.tournaments.nodes.map(({ id }: { id: string }) => id);
  expect(answer.tournaments.totalCount).toBe(ids.length);
  return ids;
}

const sorted = async (filter: object) => (await found(filter)).sort();

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
])('titles that contain %j are those of which a part is that text in lower case', async (contains) => {
  const parts = titles.flatMap((title, id) => (title.toLowerCase().includes(contains.toLowerCase()) ? [String(id)] : []));
  expect(await sorted({ title: { contains } })).toEqual(parts.sort());
});

test.each([
  ['austin', ['0', '1', '2', '3']],
  ['autsin', ['0', '3', '1', '2']],
  ['ausstin', ['0', '3', '1', '2']],
  // Similar words are for those to which none comes closer.
  ['austn opne', ['0', '1']],
  ['austn sprng-opnen', ['2']],
  ['open austin', ['0', '1', '2', '3']],
  ['sao paolo', ['5']],
])(
  'a search for %j finds the words, in any order, one letter forgiven, and names that have little else first',
  async (search, ids) => {
    expect(await found({ search })).toEqual(ids);
  },
);

test.each([
  [{ title: { eq: 'Austin Open' } }, ['0']],
  [{ title: { eq: '' } }, ['9']],
  [{ title: { in: ['Austin Open', 'Au', '', 'austin open'] } }, ['0', '8', '9']],
  [{ title: { eq: titles[6] } }, ['6']],
])('%#: a title is found by all of it', async (filter, ids) => expect(await sorted(filter)).toEqual(ids));

test.each(['open', 'needle', 'stin op'])('titles that contain %j are found beside other conditions, too', async (contains) => {
  const alone = await sorted({ title: { contains } });
  expect(await sorted({ or: [{ title: { contains } }, { id: { eq: 'none' } }] })).toEqual(alone);
});

test('words of one are found when another is renamed or gone', async () => {
  await add(client, 'one', 'Quokka Cup');
  await add(client, 'other', 'Quokka Open');
  await client.query(`update tournament set title = 'Wombat Cup' where id = 'one'`);
  await client.query(`delete from tournament where id = 'other'`);
  expect([await found({ search: 'quoka' }), await found({ search: 'wombta' })]).toEqual([[], ['one']]);
});

test('writers that bring the same new words in another order do not wait for each other', async () => {
  const [one, other] = [await connect(), await connect()];
  for (const writer of [one, other]) await writer.query(`begin; set local lock_timeout = '2s'`);
  await add(one, 'first', 'Alpaca');
  await add(other, 'second', 'Vicuna');
  await add(one, 'third', 'Vicuna');
  await add(other, 'fourth', 'Alpaca');
  await one.query('rollback');
  await other.query('commit');
  for (const writer of [one, other]) await writer.end();
  expect([await found({ search: 'alpaka' }), await found({ title: { contains: 'cuna' } })]).toEqual([['fourth'], ['second']]);
});
