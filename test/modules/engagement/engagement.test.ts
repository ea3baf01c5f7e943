import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let bo: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana' });
  bo = await app.person({ firstName: 'Bo' });
});
afterAll(() => app.close());

let newsItemCount = 0;
/** Creates a news item and returns its ID. */
async function createNewsItem(): Promise<string> {
  const id = `news-${++newsItemCount}`;
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

  test('concurrent reactions of one user end in one row, and the counts match the rows', async () => {
    const id = await createNewsItem();
    const kinds = ['LIKE', 'FUNNY', 'FIRE', 'WOW', 'SAD', 'HEART'];
    await Promise.all([...kinds, ...kinds].flatMap((kind) => [react(id, kind, ana), react(id, kind, bo)]));
    const rows = await app.sql.rows('select kind, count(*)::int as count from reaction where news_item_id = $1 group by 1', [id]);
    const { newsItem } = await app.graphql(
      `{ newsItem(id: "${id}") { reactionCounts { kind count } reactions { totalCount counts { kind count } } } }`,
    );
    const nonZero = (counts: { kind: string; count: number }[]) => counts.filter(({ count }) => count > 0);
    const byKind = (a: { kind?: unknown }, b: { kind?: unknown }) => String(a.kind).localeCompare(String(b.kind));
    const countsOfRows = rows.sort(byKind);
    expect({
      totalCount: newsItem.reactions.totalCount,
      reactionCounts: nonZero(newsItem.reactionCounts).sort(byKind),
      connectionCounts: nonZero(newsItem.reactions.counts).sort(byKind),
    }).toEqual({ totalCount: 2, reactionCounts: countsOfRows, connectionCounts: countsOfRows });
  });

  test('concurrent reactions and removals of one user leave at most one row', async () => {
    const id = await createNewsItem();
    await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? unreact(id, ana) : react(id, 'LIKE', ana))));
    const [row] = await app.sql.rows<{ n: number }>('select count(*)::int as n from reaction where news_item_id = $1', [id]);
    expect(row?.n).toBeLessThanOrEqual(1);
  });

  test('a news item shows the reactions of all users, by kind, and the viewer’s own', async () => {
    const id = await createNewsItem();
    const otherId = await createNewsItem();
    await react(id, 'FIRE', ana);
    await react(id, 'SAD', app.platform, bo.id);
    const query = `{ news(filter: { id: { in: ["${id}", "${otherId}"] } }, orderBy: [{ field: ID }]) { nodes {
      viewerReaction { kind user { firstName } } reactions(filter: { kind: { eq: SAD } }) { nodes { user { firstName } } counts { kind count } } } } }`;
    const { news } = await app.graphql(query, {}, ana);
    const [newsItem, otherNewsItem] = news.nodes;
    expect({
      viewerReaction: newsItem.viewerReaction,
      sadReactions: newsItem.reactions.nodes,
      sadCount: newsItem.reactions.counts.at(6),
      viewerReactionToOther: otherNewsItem.viewerReaction,
    }).toEqual({
      viewerReaction: { kind: 'FIRE', user: { firstName: 'Ana' } },
      sadReactions: [{ user: { firstName: 'Bo' } }],
      sadCount: { kind: 'SAD', count: 1 },
      viewerReactionToOther: null,
    });
  });

  test('refuses a reaction for another user', async () => {
    expect(await react(await createNewsItem(), 'LIKE', ana, bo.id)).toEqual({
      errors: ['FORBIDDEN: a user token opens the records of that user only'],
    });
  });

  test('refuses a reaction of a platform that names no user', async () => {
    expect(await react(await createNewsItem(), 'LIKE', app.platform)).toEqual({
      errors: ['BAD_INPUT: userId: expected the ID of a user, because the request has no user token'],
    });
  });

  test('refuses a reaction to an unknown news item', async () => {
    expect(await react('nothing', 'LIKE', ana)).toEqual({ errors: ['NOT_FOUND: no newsItem with the id nothing'] });
  });

  test('a list of news with all its reactions takes five statements, for any length', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, createNewsItem));
    for (const id of ids) await react(id, 'WOW', bo);
    const query = `query ($ids: [ID!]) { news(filter: { id: { in: $ids } }) { nodes {
      reactionCounts { count } viewerReaction { kind } reactions { nodes { user { firstName } } } } } }`;
    const statements = (someIds: string[]) => statementsOf(app, () => app.graphql(query, { ids: someIds }, { user: ana.user }));
    expect({ twoItems: await statements(ids.slice(0, 2)), fiveItems: await statements(ids) }).toEqual({
      twoItems: 5,
      fiveItems: 5,
    });
  });
});

describe('favorites', () => {
  const add = (kind: string, subjectId: string, tokens: Tokens, acceptsLegacyValues = false) =>
    app.graphql(
      'mutation ($kind: FavoriteKind!, $subjectId: ID!, $acceptsLegacyValues: Boolean!) { addFavorite(kind: $kind, subjectId: $subjectId, acceptsLegacyValues: $acceptsLegacyValues) { id } }',
      { kind, subjectId, acceptsLegacyValues },
      tokens,
    );

  test('concurrent additions of one subject end in one favorite', async () => {
    await app.graphql('mutation { upsertClub(input: { id: "twice", title: "Twice" }) { id } }');
    const answers = await Promise.all(Array.from({ length: 6 }, () => add('CLUB', 'twice', ana)));
    expect(new Set(answers.map(({ addFavorite }) => addFavorite.id)).size).toBe(1);
  });

  test('resolve to their subjects, and set isViewerFavorite only for their owner', async () => {
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
    expect({ owner: await app.graphql(query, {}, owner), otherUser: await app.graphql(query, {}, bo) }).toEqual({
      owner: {
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
      otherUser: {
        viewer: { favorites: { nodes: [] } },
        tournament: { isViewerFavorite: false },
        other: { isViewerFavorite: false },
        club: { isViewerFavorite: false },
      },
    });
  });

  test('are refused for an unknown subject, and for a game that the user cannot see', async () => {
    const { scheduleGame } = await app.graphql(
      'mutation { scheduleGame(input: { startsAt: "2041-06-02T14:30:00Z", isInviteOnly: true }) { id } }',
      {},
      bo,
    );
    const notFound = (kind: string, id: string) => ({ errors: [`NOT_FOUND: no ${kind} with the id ${id}`] });
    const added = { addFavorite: { id: expect.any(String) } };
    expect({
      unknownTournament: await add('TOURNAMENT', 'nowhere', ana),
      unknownLeague: await add('LEAGUE', 'nowhere', bo),
      invisibleGame: await add('GAME', scheduleGame.id, ana),
      ownGame: await add('GAME', scheduleGame.id, bo),
      court: await add('COURT', 'anywhere', ana),
    }).toEqual({
      unknownTournament: notFound('tournament', 'nowhere'),
      unknownLeague: notFound('league', 'nowhere'),
      invisibleGame: notFound('game', scheduleGame.id),
      ownGame: added,
      court: added,
    });
  });

  test('can be removed by their subject, but only by their user', async () => {
    const { addFavorite } = await add('CLINIC', 'shared', ana);
    await add('CLINIC', 'shared', bo);
    const remove = (args: string, tokens: Tokens) =>
      app.graphql(`mutation { removeFavorite${args} { id subjectId } }`, {}, tokens);
    const subject = '(subject: { kind: CLINIC, subjectId: "shared" })';
    expect({
      removed: await remove(subject, ana),
      removedAgain: await remove(subject, ana),
      neither: await remove('', ana),
      both: await remove(`(id: "${addFavorite.id}", subject: { kind: CLINIC, subjectId: "shared" })`, ana),
      left: (await app.graphql('{ viewer { favorites(filter: { subjectId: { eq: "shared" } }) { totalCount } } }', {}, bo))
        .viewer,
    }).toEqual({
      removed: { removeFavorite: { id: addFavorite.id, subjectId: 'shared' } },
      removedAgain: { errors: ['NOT_FOUND: no favorite of this user with the kind CLINIC and the subjectId shared'] },
      neither: { errors: ['BAD_INPUT: id: expected a value for either `id` or `subject`'] },
      both: { errors: ['BAD_INPUT: id: expected a value for either `id` or `subject`'] },
      left: { favorites: { totalCount: 1 } },
    });
  });

  test('are hidden from other users, who cannot remove them either', async () => {
    const { addFavorite } = await add('CLINIC', 'private', ana);
    const query = `{ favorite(id: "${addFavorite.id}") { subjectId } }`;
    const remove = 'mutation ($id: ID!) { removeFavorite(id: $id) { subjectId } }';
    expect({
      seenByOther: await app.graphql(query, {}, bo),
      seenByPlatform: await app.graphql(query),
      removedByOther: await app.graphql(remove, addFavorite, bo),
      removedByOwner: await app.graphql(remove, addFavorite, ana),
    }).toEqual({
      seenByOther: { favorite: null },
      seenByPlatform: { favorite: { subjectId: 'private' } },
      removedByOther: { errors: [`NOT_FOUND: no favorite of this user with the id ${addFavorite.id}`] },
      removedByOwner: { removeFavorite: { subjectId: 'private' } },
    });
  });
});
