import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { statementsOf } from '../support/statements.js';

let app: TestApp;
let ana: Person;
let bo: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana' });
  bo = await app.person({ firstName: 'Bo' });
});
afterAll(() => app.close());

let items = 0;
async function newsItem(): Promise<string> {
  const id = `news-${++items}`;
  await app.graphql('mutation ($id: ID!) { createNewsItem(input: { id: $id, title: "News" }) { id } }', { id });
  return id;
}

describe('reactions', () => {
  const react = (newsItemId: string, kind: string, tokens: Tokens, userId?: string) =>
    app.graphql(
      'mutation ($newsItemId: ID!, $kind: ReactionKind!, $userId: ID) { react(newsItemId: $newsItemId, kind: $kind, userId: $userId) { id } }',
      { newsItemId, kind, userId },
      tokens,
    );
  const unreact = (newsItemId: string, tokens: Tokens) =>
    app.graphql('mutation ($newsItemId: ID!) { unreact(newsItemId: $newsItemId) { kind } }', { newsItemId }, tokens);

  test('reactions of one user at the same moment end in one, and the counts are the rows', async () => {
    const id = await newsItem();
    const kinds = ['LIKE', 'FUNNY', 'FIRE', 'WOW', 'SAD', 'HEART'];
    await Promise.all([...kinds, ...kinds].flatMap((kind) => [react(id, kind, ana), react(id, kind, bo)]));
    const rows = await app.sql.rows('select kind, count(*)::int as count from reaction where news_item_id = $1 group by 1', [id]);
    const { newsItem: shown } = await app.graphql(
      `{ newsItem(id: "${id}") { reactionCounts { kind count } reactions { totalCount counts { kind count } } } }`,
    );
    const given = (counts: { kind: string; count: number }[]) => counts.filter(({ count }) => count > 0);
    const byKind = (a: { kind?: unknown }, b: { kind?: unknown }) => String(a.kind).localeCompare(String(b.kind));
    expect([
      shown.reactions.totalCount,
      given(shown.reactionCounts).sort(byKind),
      given(shown.reactions.counts).sort(byKind),
    ]).toEqual([2, rows.sort(byKind), rows.sort(byKind)]);
  });

  test('reacting and taking back at the same moment never leaves more than one', async () => {
    const id = await newsItem();
    await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? unreact(id, ana) : react(id, 'LIKE', ana))));
    const [row] = await app.sql.rows<{ n: number }>('select count(*)::int as n from reaction where news_item_id = $1', [id]);
    expect(row?.n).toBeLessThanOrEqual(1);
  });

  test('a news item shows the reactions of all, by kind, and the viewer’s own', async () => {
    const [id, other] = [await newsItem(), await newsItem()];
    await react(id, 'FIRE', ana);
    await react(id, 'SAD', app.platform, bo.id);
    const query = `{ news(filter: { id: { in: ["${id}", "${other}"] } }, orderBy: [{ field: ID }]) { nodes {
      viewerReaction { kind user { firstName } } reactions(filter: { kind: { eq: SAD } }) { nodes { user { firstName } } counts { kind count } } } } }`;
    const { news } = await app.graphql(query, {}, ana);
    const [first, second] = news.nodes;
    expect([first.viewerReaction, first.reactions.nodes, first.reactions.counts.at(6), second.viewerReaction]).toEqual([
      { kind: 'FIRE', user: { firstName: 'Ana' } },
      [{ user: { firstName: 'Bo' } }],
      { kind: 'SAD', count: 1 },
      null,
    ]);
  });

  test('a user reacts for nobody else, a platform alone says for whom', async () => {
    const id = await newsItem();
    expect(
      await Promise.all([react(id, 'LIKE', ana, bo.id), react(id, 'LIKE', app.platform), react('nothing', 'LIKE', ana)]),
    ).toEqual([
      { errors: ['FORBIDDEN: a user token opens the records of that user only'] },
      { errors: ['BAD_INPUT: userId: expected the id of a user, because no user token says who acts'] },
      { errors: ['NOT_FOUND: no newsItem with the id nothing'] },
    ]);
  });

  test('news with counts, own reactions and those of others take five statements, however many there are', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, newsItem));
    for (const id of ids) await react(id, 'WOW', bo);
    const query = `query ($ids: [ID!]) { news(filter: { id: { in: $ids } }) { nodes {
      reactionCounts { count } viewerReaction { kind } reactions { nodes { user { firstName } } } } } }`;
    const statements = (some: string[]) => statementsOf(app, () => app.graphql(query, { ids: some }, { user: ana.user }));
    expect([await statements(ids.slice(0, 2)), await statements(ids)]).toEqual([5, 5]);
  });
});

describe('favorites', () => {
  const add = (kind: string, subjectId: string, tokens: Tokens, asSent = false) =>
    app.graphql(
      'mutation ($kind: FavoriteKind!, $subjectId: ID!, $asSent: Boolean!) { addFavorite(kind: $kind, subjectId: $subjectId, asSent: $asSent) { id } }',
      { kind, subjectId, asSent },
      tokens,
    );

  test('added twice, also at the same moment, is one', async () => {
    await app.graphql('mutation { upsertClub(input: { id: "twice", title: "Twice" }) { id } }');
    const answers = await Promise.all(Array.from({ length: 6 }, () => add('CLUB', 'twice', ana)));
    expect(new Set(answers.map(({ addFavorite }) => addFavorite.id)).size).toBe(1);
  });

  test('lead to what they are, and mark it for their owner only', async () => {
    const owner = await app.person();
    await app.graphql(
      'mutation { a: upsertTournament(input: { id: "t1", title: "Open" }) { id } b: upsertTournament(input: { id: "t2", title: "Other" }) { id } upsertClub(input: { id: "c1", title: "Club" }) { id } createLeague(input: { id: "l1", title: "Ladder" }) { id } }',
    );
    await add('TOURNAMENT', 't1', owner);
    await add('CLUB', 'c1', owner);
    await add('LEAGUE', 'l1', owner);
    await add('CLUB', 'unknown', owner, true);
    const query = `{ viewer { favorites(orderBy: [{ field: CREATED_AT }]) { nodes { kind tournament { title } club { title } league { title } } } }
      tournament(id: "t1") { isViewerFavorite } other: tournament(id: "t2") { isViewerFavorite } club(id: "c1") { isViewerFavorite } }`;
    expect([await app.graphql(query, {}, owner), await app.graphql(query, {}, bo)]).toEqual([
      {
        viewer: {
          favorites: {
            nodes: [
              { kind: 'TOURNAMENT', tournament: { title: 'Open' }, club: null, league: null },
              { kind: 'CLUB', tournament: null, club: { title: 'Club' }, league: null },
              { kind: 'LEAGUE', tournament: null, club: null, league: { title: 'Ladder' } },
              { kind: 'CLUB', tournament: null, club: null, league: null },
            ],
          },
        },
        tournament: { isViewerFavorite: true },
        other: { isViewerFavorite: false },
        club: { isViewerFavorite: true },
      },
      {
        viewer: { favorites: { nodes: [] } },
        tournament: { isViewerFavorite: false },
        other: { isViewerFavorite: false },
        club: { isViewerFavorite: false },
      },
    ]);
  });

  test('are what there is, and what their owner sees', async () => {
    const { scheduleGame } = await app.graphql('mutation { scheduleGame(input: { isInviteOnly: true }) { id } }', {}, bo);
    const none = (one: string, id: string) => ({ errors: [`NOT_FOUND: no ${one} with the id ${id}`] });
    const added = { addFavorite: { id: expect.any(String) } };
    expect([
      await add('TOURNAMENT', 'nowhere', ana),
      await add('LEAGUE', 'nowhere', bo),
      await add('GAME', scheduleGame.id, ana),
      await add('GAME', scheduleGame.id, bo),
      await add('COURT', 'anywhere', ana),
    ]).toEqual([none('tournament', 'nowhere'), none('league', 'nowhere'), none('game', scheduleGame.id), added, added]);
  });

  test('are seen and removed by their owner and by platforms', async () => {
    const { addFavorite } = await add('CLINIC', 'private', ana);
    const query = `{ favorite(id: "${addFavorite.id}") { subjectId } }`;
    const remove = 'mutation ($id: ID!) { removeFavorite(id: $id) { subjectId } }';
    expect([
      await app.graphql(query, {}, bo),
      await app.graphql(query),
      await app.graphql(remove, addFavorite, bo),
      await app.graphql(remove, addFavorite, ana),
    ]).toEqual([
      { favorite: null },
      { favorite: { subjectId: 'private' } },
      { errors: [`NOT_FOUND: no favorite of this user with the id ${addFavorite.id}`] },
      { removeFavorite: { subjectId: 'private' } },
    ]);
  });
});
