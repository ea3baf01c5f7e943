import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { statementsOf } from '../support/statements.js';

let app: TestApp;
let player: Person;
beforeAll(async () => {
  app = await startApp();
  player = await app.person({ firstName: 'Austin', lastName: 'Müller' });
  await app.person({ firstName: 'Zoë', lastName: 'Quint' });
  const write = (mutation: string) => app.graphql(`mutation { ${mutation} { id } }`);
  for (const [id, title, more] of [
    ['open', 'Austin Open', ''],
    ['exact', 'Austin', ''],
    ['test', 'Austin Rehearsal', 'isTest: true'],
    ['hidden', 'Austin Hidden', 'hidesFromSearch: true'],
    ['other', 'Dallas Masters', ''],
  ])
    await write(`upsertTournament(input: { id: "${id}", title: "${title}" ${more} })`);
  await write('createLeague(input: { id: "league", title: "Austin Ladder League" })');
  await write('createLeague(input: { id: "disabled", title: "Austin Gone", disabledAt: "2020-01-01T00:00:00Z" })');
  await write('upsertClub(input: { id: "club", title: "Pickleball Club of Austin and Round Rock" })');
  await write('createNewsItem(input: { id: "news", title: "Austin Open: who plays" })');
  await write('createNewsItem(input: { id: "archived", title: "Austin of old", archivedAt: "2020-01-01T00:00:00Z" })');
  await write('createNewsItem(input: { id: "draft", title: "Austin to come", siteSchedule: { from: "2999-01-01T00:00:00Z" } })');
});
afterAll(() => app.close());

const fields = `__typename ... on Tournament { id title } ... on League { id title } ... on Club { id title } ... on User { id lastName } ... on NewsItem { id lifecycle }`;
const ask = (text: string, args = '', tokens?: Tokens, of = `nodes { ${fields} }`) =>
  app.graphql(`query ($text: String!) { search(text: $text ${args}) { totalCount ${of} } }`, { text }, tokens);
async function found(text: string, args = '', tokens?: Tokens): Promise<string[]> {
  const answer = await ask(text, args, tokens);
  return answer.search?.nodes.map(({ id }: { id: string }) => id) ?? answer.errors;
}

describe('a search', () => {
  test('finds all kinds, what fits best first, without what is not to be found', async () => {
    const { search } = await ask('austin');
    const [best, ...others] = search.nodes;
    expect([best, search.totalCount, others.map(({ id }: { id: string }) => id).sort()]).toEqual([
      { __typename: 'Tournament', id: 'exact', title: 'Austin' },
      6,
      ['club', 'league', 'news', 'open', player.id].sort(),
    ]);
  });

  test.each([
    ['a misspelling', 'autsin opne', 'open'],
    ['a misspelling of one word', 'autsin', 'exact'],
    ['a missing letter', 'pikleball', 'club'],
    ['accents', 'AÚSTIN ÖPEN', 'open'],
    ['a part of a word', 'ustin la', 'league'],
    ['a family name without its accent', 'muller', 'person-1'],
    ['both names', 'austin muller', 'person-1'],
    ['two letters', 'zo', 'person-2'],
    ['blanks around the words', '  dallas ', 'other'],
  ])('forgives %s', async (_, text, id) => {
    expect((await found(text))[0]).toBe(id);
  });

  test('knows letters that changed places from another word', async () => {
    await app.graphql('mutation { upsertTournament(input: { id: "autumn", title: "Autumn" }) { id } }');
    const [best, ...others] = await found('autsin', 'kinds: [TOURNAMENT]');
    expect([best, others.at(-1)]).toEqual(['exact', 'autumn']);
    await app.graphql('mutation { deleteTournament(id: "autumn") { id } }');
  });

  test('takes signs of patterns as they are', async () => {
    expect(await found('%%%')).toEqual([]);
  });

  test('is of the kinds asked for', async () => {
    expect([await found('austin', 'kinds: [CLUB, NEWS]'), await found('austin', 'kinds: [LEAGUE, LEAGUE]')]).toEqual([
      expect.arrayContaining(['club', 'news']),
      ['league'],
    ]);
  });

  test('goes on behind a cursor, without a gap', async () => {
    const all = await found('austin');
    const page = 'edges { cursor node { __typename } } pageInfo { endCursor hasNextPage hasPreviousPage }';
    const pages = [];
    for (let after = ''; pages.length < 3; ) {
      const args = `first: 2 ${after && `after: "${after}"`}`;
      const { search } = await ask('austin', args, undefined, page);
      after = search.pageInfo.endCursor;
      pages.push([await found('austin', args), search.pageInfo.hasNextPage, search.edges.at(-1).cursor === after]);
      if (pages.length === 1)
        expect([await found('autsin', `after: "${after}"`), await found('austin', 'after: "x"')]).toEqual([
          ['BAD_INPUT: after: expected a cursor of this list'],
          ['BAD_INPUT: after: expected a cursor of this list'],
        ]);
    }
    expect(pages).toEqual([
      [all.slice(0, 2), true, true],
      [all.slice(2, 4), true, true],
      [all.slice(4), false, true],
    ]);
  });

  test('goes back in front of a cursor, without a gap, from the end or from any place', async () => {
    const all = await found('austin');
    const of = async (args: string) => {
      const { search } = await ask(
        'austin',
        args,
        undefined,
        `nodes { ${fields} } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }`,
      );
      const { startCursor, endCursor, hasNextPage, hasPreviousPage } = search.pageInfo;
      const ids = search.nodes.map(({ id }: { id: string }) => id);
      return { startCursor, endCursor, page: [ids, hasPreviousPage, hasNextPage] };
    };
    const last = await of('last: 2');
    const middle = await of(`last: 3, before: "${last.startCursor}"`);
    const front = await of(`before: "${middle.startCursor}"`);
    const between = await of(`first: 5, after: "${front.endCursor}", before: "${last.endCursor}"`);
    const skipped = await of('first: 2, offset: 3');
    expect([last, middle, front, between, skipped].map(({ page }) => page)).toEqual([
      [all.slice(4), true, false],
      [all.slice(1, 4), true, true],
      [all.slice(0, 1), false, true],
      [all.slice(1, 5), true, true],
      [all.slice(3, 5), true, true],
    ]);
    expect(await found('austin', 'last: 2, first: 1, before: "x"')).toEqual([
      'BAD_INPUT: last: expected no value beside `first`; before: expected a cursor of this list',
    ]);
  });

  test('does not list people to visitors, who may not list them anyway', async () => {
    const { key } = await newKey(app);
    const visitor = { platform: key };
    expect([
      await found('muller', '', visitor),
      await found('muller', 'kinds: [PLAYER]', visitor),
      await found('muller', 'kinds: [PLAYER]', player),
      await found('muller', '', {}),
    ]).toEqual([[], ['FORBIDDEN: only for: platform or user'], [player.id], [expect.stringMatching(/^UNAUTHENTICATED/)]]);
  });

  test.each([
    ['too short', 'a', ''],
    ['blank', '    ', ''],
    ['too long', 'a'.repeat(201), ''],
    ['not to be stored', 'a\0b', ''],
  ])('for what is %s is refused', async (_, text) => {
    expect(await found(text)).toEqual([expect.stringMatching(/^BAD_INPUT: text: expected 2 to 200 characters/)]);
  });

  test('tells all that is wrong with it at once', async () => {
    expect(await found('a', 'first: 101, kinds: []')).toEqual([
      expect.stringMatching(/^BAD_INPUT: text: .*; first: expected an integer from 0 to 100; kinds: expected at least one kind$/),
    ]);
  });

  test('takes one statement, one for each kind that it finds, and one for the count', async () => {
    const short =
      '... on Tournament { title } ... on League { title } ... on Club { title } ... on User { lastName } ... on NewsItem { title }';
    const taken = (first: number) => statementsOf(app, () => ask('austin', `first: ${first}`, undefined, `nodes { ${short} }`));
    expect([await taken(0), await taken(1), await taken(100)]).toEqual([2, 3, 7]);
  });
});
