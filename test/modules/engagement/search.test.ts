import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

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
    ['ranch', 'Spring Classic', 'location: { venue: "Pickle Ranch", city: "Lakeway", state: "TX" }'],
    ['far', 'Spring Classic', 'location: { venue: "Pickle Barn", city: "Boise", state: "Idaho" }'],
  ])
    await write(`upsertTournament(input: { id: "${id}", title: "${title}" ${more} })`);
  await write('createLeague(input: { id: "league", title: "Austin Ladder League" })');
  await write('createLeague(input: { id: "disabled", title: "Austin Gone", disabledAt: "2020-01-01T00:00:00Z" })');
  await write('upsertClub(input: { id: "club", title: "Pickleball Club of Austin and Round Rock" })');
  await write(
    'createNewsItem(input: { id: "news", title: "Austin Open: who plays", siteSchedule: { from: "2020-01-01T00:00:00Z" } })',
  );
  await write('createNewsItem(input: { id: "archived", title: "Austin of old", archivedAt: "2020-01-01T00:00:00Z" })');
  await write('createNewsItem(input: { id: "draft", title: "Austin to come", siteSchedule: { from: "2999-01-01T00:00:00Z" } })');
  await write('createNewsItem(input: { id: "no-schedule", title: "Austin draft" })');
});
afterAll(() => app.close());

const fields = `__typename ... on Tournament { id title } ... on League { id title } ... on Club { id title } ... on User { id lastName } ... on NewsItem { id lifecycle }`;
const search = (text: string, args = '', tokens?: Tokens, selection = `nodes { ${fields} }`) =>
  app.graphql(`query ($text: String!) { search(text: $text ${args}) { totalCount ${selection} } }`, { text }, tokens);
/** Runs a search. Returns the IDs of the results, best match first, or the errors. */
async function idsFound(text: string, args = '', tokens?: Tokens): Promise<string[]> {
  const answer = await search(text, args, tokens);
  return answer.search?.nodes.map(({ id }: { id: string }) => id) ?? answer.errors;
}

describe('a search', () => {
  test('finds all kinds, best match first, without hidden, disabled, archived and unpublished records', async () => {
    const { nodes, totalCount } = (await search('austin')).search;
    const [best, ...others] = nodes;
    expect({ best, totalCount, others: others.map(({ id }: { id: string }) => id).sort() }).toEqual({
      best: { __typename: 'Tournament', id: 'exact', title: 'Austin' },
      totalCount: 6,
      others: ['club', 'league', 'news', 'open', player.id].sort(),
    });
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
    ['whitespace around the words', '  dallas ', 'other'],
  ])('finds the right record for a text with %s', async (_, text, id) => {
    expect((await idsFound(text))[0]).toBe(id);
  });

  test.each([
    ['a venue', 'pickle ranch', ['ranch']],
    ['a misspelled venue', 'pikle rnach', ['ranch']],
    ['a city', 'boise', ['far']],
    ['the title of a state that was saved as an abbreviation', 'texas', ['ranch']],
    ['the abbreviation of a state that was saved as a title', 'id spring', ['far']],
    ['a misspelled state', 'idhao', ['far']],
    ['words of the title and the place', 'classic spring texas', ['ranch']],
    ['a word that matches nothing', 'spring classic zanzibar', []],
  ])('requires all words, in titles and places: %s', async (_, text, expected) => {
    expect(await idsFound(text, 'kinds: [TOURNAMENT]')).toEqual(expected);
  });

  test('finds players only by name, because a city may be private, and reports this', async () => {
    await app.graphql('mutation { upsertUser(input: { firstName: "Mia", lastName: "Lund", city: "Reykjavik" }) { id } }');
    const { type } = await app.graphql('{ type: __type(name: "SearchKind") { enumValues { name description } } }');
    const { description } = type.enumValues.find(({ name }: { name: string }) => name === 'PLAYER');
    expect({ byCity: await idsFound('reykjavik'), description }).toEqual({
      byCity: [],
      description: expect.stringMatching(/^Users by first and last name only\./),
    });
  });

  test('ranks transposed letters above another word', async () => {
    await app.graphql('mutation { upsertTournament(input: { id: "autumn", title: "Autumn" }) { id } }');
    const [best, ...others] = await idsFound('autsin', 'kinds: [TOURNAMENT]');
    expect({ best, worst: others.at(-1) }).toEqual({ best: 'exact', worst: 'autumn' });
    await app.graphql('mutation { deleteTournament(id: "autumn") { id } }');
  });

  test.each(['austin & open', 'austin - open', 'austin , open |'])('ignores punctuation between words: %s', async (text) => {
    expect((await idsFound(text))[0]).toBe('open');
  });

  test('takes pattern characters literally', async () => {
    expect(await idsFound('%%%')).toEqual([]);
  });

  test('is limited to the requested kinds', async () => {
    expect({
      clubsAndNews: await idsFound('austin', 'kinds: [CLUB, NEWS]'),
      leaguesTwice: await idsFound('austin', 'kinds: [LEAGUE, LEAGUE]'),
    }).toEqual({ clubsAndNews: expect.arrayContaining(['club', 'news']), leaguesTwice: ['league'] });
  });

  test('continues after a cursor without a gap', async () => {
    const all = await idsFound('austin');
    const connection = 'edges { cursor node { __typename } } pageInfo { endCursor hasNextPage hasPreviousPage }';
    const pages = [];
    for (let after = ''; pages.length < 3; ) {
      const args = `first: 2 ${after && `after: "${after}"`}`;
      const { edges, pageInfo } = (await search('austin', args, undefined, connection)).search;
      after = pageInfo.endCursor;
      pages.push({
        ids: await idsFound('austin', args),
        hasNextPage: pageInfo.hasNextPage,
        endsWithLastEdge: edges.at(-1).cursor === after,
      });
    }
    expect(pages).toEqual([
      { ids: all.slice(0, 2), hasNextPage: true, endsWithLastEdge: true },
      { ids: all.slice(2, 4), hasNextPage: true, endsWithLastEdge: true },
      { ids: all.slice(4), hasNextPage: false, endsWithLastEdge: true },
    ]);
  });

  test('rejects cursors of other searches and malformed cursors', async () => {
    const { endCursor } = (await search('austin', 'first: 2', undefined, 'pageInfo { endCursor }')).search.pageInfo;
    const rejection = ['BAD_INPUT: after: expected a cursor of this list'];
    expect({
      otherSearch: await idsFound('autsin', `after: "${endCursor}"`),
      malformed: await idsFound('austin', 'after: "x"'),
    }).toEqual({ otherSearch: rejection, malformed: rejection });
  });

  test('pages backwards, between cursors and by offset without a gap', async () => {
    const all = await idsFound('austin');
    const connection = `nodes { ${fields} } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }`;
    const pageOf = async (args: string) => {
      const { nodes, pageInfo } = (await search('austin', args, undefined, connection)).search;
      const { startCursor, endCursor, hasNextPage, hasPreviousPage } = pageInfo;
      const ids = nodes.map(({ id }: { id: string }) => id);
      return { startCursor, endCursor, page: { ids, hasPreviousPage, hasNextPage } };
    };
    const last = await pageOf('last: 2');
    const middle = await pageOf(`last: 3, before: "${last.startCursor}"`);
    const front = await pageOf(`before: "${middle.startCursor}"`);
    const between = await pageOf(`first: 5, after: "${front.endCursor}", before: "${last.endCursor}"`);
    const byOffset = await pageOf('first: 2, offset: 3');
    expect({
      last: last.page,
      middle: middle.page,
      front: front.page,
      between: between.page,
      byOffset: byOffset.page,
    }).toEqual({
      last: { ids: all.slice(4), hasPreviousPage: true, hasNextPage: false },
      middle: { ids: all.slice(1, 4), hasPreviousPage: true, hasNextPage: true },
      front: { ids: all.slice(0, 1), hasPreviousPage: false, hasNextPage: true },
      between: { ids: all.slice(1, 5), hasPreviousPage: true, hasNextPage: true },
      byOffset: { ids: all.slice(3, 5), hasPreviousPage: true, hasNextPage: true },
    });
  });

  test('rejects `last` together with `first`', async () => {
    expect(await idsFound('austin', 'last: 2, first: 1, before: "x"')).toEqual([
      'BAD_INPUT: last: expected no value together with `first`; before: expected a cursor of this list',
    ]);
  });

  test('finds all people for users, but only public players for visitors', async () => {
    const { key } = await newKey(app);
    const visitor = { platform: key };
    expect({
      anyKindByVisitor: await idsFound('muller', '', visitor),
      playersByVisitor: await idsFound('muller', 'kinds: [PLAYER]', visitor),
      playersByUser: await idsFound('muller', 'kinds: [PLAYER]', player),
      withoutToken: await idsFound('muller', '', {}),
    }).toEqual({
      anyKindByVisitor: [],
      playersByVisitor: [],
      playersByUser: [player.id],
      withoutToken: [expect.stringMatching(/^UNAUTHENTICATED/)],
    });
  });

  test.each([
    ['too short', 'a'],
    ['blank', '    '],
    ['too long', 'a'.repeat(201)],
    ['not storable', 'a\0b'],
  ])('rejects a text that is %s', async (_, text) => {
    expect(await idsFound(text)).toEqual([expect.stringMatching(/^BAD_INPUT: text: expected 2 to 200 characters/)]);
  });

  test('reports all its problems together', async () => {
    expect(await idsFound('a', 'first: 101, kinds: []')).toEqual([
      expect.stringMatching(/^BAD_INPUT: text: .*; first: expected an integer from 0 to 100; kinds: expected at least one kind$/),
    ]);
  });

  test('executes one statement for the search, one per kind found and one for the count', async () => {
    const short =
      '... on Tournament { title } ... on League { title } ... on Club { title } ... on User { lastName } ... on NewsItem { title }';
    const statementCount = (first: number) =>
      statementsOf(app, () => search('austin', `first: ${first}`, undefined, `nodes { ${short} }`));
    expect({
      noResult: await statementCount(0),
      oneResult: await statementCount(1),
      allResults: await statementCount(100),
    }).toEqual({ noResult: 2, oneResult: 3, allResults: 7 });
  });
});
