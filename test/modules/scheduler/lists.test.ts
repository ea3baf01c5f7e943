import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

const secret = 'the-secret-of-the-routers';
let app: TestApp;
const people: Record<string, Person> = {};
/** ID of a game that hides its lists of players. */
let hidden: string;
/** ID of a game that shows its lists of players to all callers. */
let open: string;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'scheduler', ROUTER_SECRET: secret });
  for (const name of ['owner', 'player', 'waiting', 'invited', 'stranger']) people[name] = await app.person();
  people.admin = await app.person({ roles: ['ADMIN'] });
  people.superAdmin = await app.person({ isSuperAdmin: true });
  const payload = {
    ownerUuid: people.owner?.id,
    optedInPlayerUuids: [people.player?.id, people.waiting?.id],
    maximumCount: 1,
    useWaitingList: true,
    invitePlayersUuids: [people.invited?.id],
    invitePlayersEmails: ['guest@example.com'],
  };
  const createGame = async (overrides: object) =>
    (await app.rest('POST', '/v1/game_scheduler', app.platform, { payload: { ...payload, ...overrides } })).body.result.uuid;
  hidden = await createGame({ title: 'Hidden' });
  open = await createGame({ title: 'Open', allowInvitedPlayersToSeeList: true });
});
afterAll(() => app.close());

const tokensOf = (name: string): Tokens => {
  if (name === 'platform') return app.platform;
  const [user, platform] = name.split(' with ');
  return { ...(platform ? app.platform : {}), user: people[user ?? '']?.user };
};
/** Callers who see the lists of `hidden`. */
const insiders = ['platform', 'owner', 'player', 'waiting', 'admin', 'superAdmin'];
/** Callers who see only the counts of `hidden`. */
const outsiders = ['invited', 'stranger', 'stranger with a platform'];

const fields =
  'playerIds waitingIds invitedIds players { nodes { id } } waitingPlayers { nodes { id } } invitedPlayers { nodes { id } } playerCount waitingCount';
const listsOf = async (id: string, name: string) =>
  (await app.graphql(`{ game(id: "${id}") { ${fields} } }`, {}, tokensOf(name))).game;

const fullLists = () => {
  const [playerIds, waitingIds, invitedIds] = [people.player, people.waiting, people.invited].map((person) => [person?.id]);
  const [players, waitingPlayers, invitedPlayers] = [playerIds, waitingIds, invitedIds].map((ids) => ({
    nodes: [{ id: ids?.[0] }],
  }));
  return { playerIds, waitingIds, invitedIds, players, waitingPlayers, invitedPlayers, playerCount: 1, waitingCount: 1 };
};
const countsOnly = {
  playerIds: [],
  waitingIds: [],
  invitedIds: [],
  players: { nodes: [] },
  waitingPlayers: { nodes: [] },
  invitedPlayers: { nodes: [] },
  playerCount: 1,
  waitingCount: 1,
};
/** Returns the responses to one query, keyed by caller name. */
const byCaller = async <T>(names: string[], answerTo: (name: string) => Promise<T>): Promise<Record<string, T>> =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, await answerTo(name)] as const)));

describe('a game that hides its lists', () => {
  test.for(insiders)('shows them to: %s', async (name) => expect(await listsOf(hidden, name)).toEqual(fullLists()));
  test.for(outsiders)('shows only counts to: %s', async (name) => expect(await listsOf(hidden, name)).toEqual(countsOnly));

  test('shows the invited addresses to its owner and to a platform without a user', async () => {
    const addresses = await byCaller(
      [...insiders, ...outsiders],
      async (name) => (await app.graphql(`{ game(id: "${hidden}") { invitedEmails } }`, {}, tokensOf(name))).game.invitedEmails,
    );
    expect(addresses).toEqual({
      ...{ platform: ['guest@example.com'], owner: ['guest@example.com'] },
      ...{ player: [], waiting: [], admin: [], superAdmin: [] },
      ...{ invited: [], stranger: [], 'stranger with a platform': [] },
    });
  });

  test.for([...insiders.map((name) => ({ name, showsLists: true })), ...outsiders.map((name) => ({ name, showsLists: false }))])(
    'shows the same in /v1 to: $name',
    async ({ name, showsLists }) => {
      const { body } = await app.rest('GET', '/v1/data/game_scheduler', tokensOf(name));
      const { optedInPlayerUuids, optedInPlayersUuids, invitePlayersUuids, optedInCount, waitlistCount } = body.results.find(
        ({ title }: { title: string }) => title === 'Hidden',
      );
      const [players, invited] = showsLists ? [[people.player?.id], [people.invited?.id]] : [[], []];
      expect({ optedInPlayerUuids, optedInPlayersUuids, invitePlayersUuids, optedInCount, waitlistCount }).toEqual({
        optedInPlayerUuids: players,
        optedInPlayersUuids: players,
        invitePlayersUuids: invited,
        optedInCount: 1,
        waitlistCount: 1,
      });
    },
  );

  test('hides them from requests that a router sends for a user', async () => {
    const query = `{ _entities(representations: [{ __typename: "Game", id: "${hidden}" }]) { ... on Game { ${fields} } } }`;
    const entitiesFor = async (name: string) => {
      const { platform, user } = tokensOf(name);
      const response = await fetch(`${app.origin}/subgraphs/scheduler`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'router-secret': secret,
          ...(platform ? { 'pb-api-token': platform } : {}),
          ...(user ? { 'pb-user-token': user } : {}),
        },
        body: JSON.stringify({ query }),
      });
      return (await response.json()).data._entities;
    };
    expect(await byCaller(['owner', 'stranger', 'stranger with a platform', 'platform'], entitiesFor)).toEqual({
      owner: [fullLists()],
      stranger: [countsOnly],
      'stranger with a platform': [countsOnly],
      platform: [fullLists()],
    });
  });
});

test('a game that shows its lists shows them to everybody', async () => {
  const everybody = [...insiders, ...outsiders];
  expect(await byCaller(everybody, (name) => listsOf(open, name))).toEqual(
    Object.fromEntries(everybody.map((name) => [name, fullLists()])),
  );
});

describe('filters and relations do not reveal the members of a hidden list', () => {
  const titles = ({ nodes, totalCount }: { nodes: { title: string }[]; totalCount: number }) => {
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ title }) => title).toSorted();
  };
  const lists = [
    ['playerIds', 'games', 'player'],
    ['waitingIds', 'awaitedGames', 'waiting'],
    ['invitedIds', 'gameInvitations', 'invited'],
  ] as const;
  const gamesOf = async (name: string, [field, relation, member]: (typeof lists)[number]) => {
    const id = people[member]?.id;
    const answer = await app.graphql(
      `{ has: games(filter: { ${field}: { has: "${id}" } }) { totalCount nodes { title } }
         hasAny: games(filter: { ${field}: { hasAny: ["nobody", "${id}"] } }) { totalCount nodes { title } }
         without: games(filter: { not: { ${field}: { has: "${id}" } } }) { totalCount nodes { title } }
         user(id: "${id}") { ${relation} { totalCount nodes { title } } } }`,
      {},
      tokensOf(name),
    );
    return {
      has: titles(answer.has),
      hasAny: titles(answer.hasAny),
      without: titles(answer.without),
      relation: titles(answer.user[relation]),
    };
  };
  const bothGames = { has: ['Hidden', 'Open'], hasAny: ['Hidden', 'Open'], without: [], relation: ['Hidden', 'Open'] };
  const openGameOnly = { has: ['Open'], hasAny: ['Open'], without: ['Hidden'], relation: ['Open'] };

  test.for(lists)('%s: callers who see the list find its members', async (list) =>
    expect(await byCaller(insiders, (name) => gamesOf(name, list))).toEqual(
      Object.fromEntries(insiders.map((name) => [name, bothGames])),
    ),
  );

  test.for(lists)('%s: other callers find only themselves', async (list) => {
    const member = list[2];
    const others = outsiders.filter((name) => name !== member);
    expect(await byCaller(others, (name) => gamesOf(name, list))).toEqual(
      Object.fromEntries(others.map((name) => [name, openGameOnly])),
    );
    expect(await gamesOf(member, list)).toEqual(bothGames);
  });
});
