import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';

const secret = 'the-secret-of-the-routers';
let app: TestApp;
const people: Record<string, Person> = {};
/** A game that hides its lists, and one that shows them to everybody. */
let hidden: string;
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
  const post = async (more: object) =>
    (await app.rest('POST', '/v1/game_scheduler', app.platform, { payload: { ...payload, ...more } })).body.result.uuid;
  hidden = await post({ title: 'Hidden' });
  open = await post({ title: 'Open', allowInvitedPlayersToSeeList: true });
});
afterAll(() => app.close());

const tokensOf = (name: string): Tokens => {
  if (name === 'platform') return app.platform;
  const [user, beside] = name.split(' with ');
  return { ...(beside ? app.platform : {}), user: people[user ?? '']?.user };
};
const seeing = ['platform', 'owner', 'player', 'waiting', 'admin', 'superAdmin'];
const notSeeing = ['invited', 'stranger', 'stranger with a platform'];

const fields =
  'playerIds waitingIds invitedIds players { nodes { id } } waitingPlayers { nodes { id } } invitedPlayers { nodes { id } } playerCount waitingCount';
const listsOf = async (id: string, name: string) =>
  (await app.graphql(`{ game(id: "${id}") { ${fields} } }`, {}, tokensOf(name))).game;

const whole = () => {
  const [playerIds, waitingIds, invitedIds] = [people.player, people.waiting, people.invited].map((person) => [person?.id]);
  const [players, waitingPlayers, invitedPlayers] = [playerIds, waitingIds, invitedIds].map((ids) => ({
    nodes: [{ id: ids?.[0] }],
  }));
  return { playerIds, waitingIds, invitedIds, players, waitingPlayers, invitedPlayers, playerCount: 1, waitingCount: 1 };
};
const empty = {
  ...{
    playerIds: [],
    waitingIds: [],
    invitedIds: [],
    players: { nodes: [] },
    waitingPlayers: { nodes: [] },
    invitedPlayers: { nodes: [] },
  },
  ...{ playerCount: 1, waitingCount: 1 },
};

describe('a game that hides its lists', () => {
  test.for(seeing)('shows them to: %s', async (name) => expect(await listsOf(hidden, name)).toEqual(whole()));
  test.for(notSeeing)('shows counts and nothing else to: %s', async (name) => expect(await listsOf(hidden, name)).toEqual(empty));

  test('shows the invited addresses to its owner and to a platform that acts for nobody', async () => {
    const shown = async (name: string) =>
      (await app.graphql(`{ game(id: "${hidden}") { invitedEmails } }`, {}, tokensOf(name))).game.invitedEmails;
    const answers = await Promise.all([...seeing, ...notSeeing].map(async (name) => [name, await shown(name)]));
    const told = answers.filter(([, addresses]) => addresses.length).map(([name]) => name);
    expect(told).toEqual(['platform', 'owner']);
  });

  test.for([...seeing.map((name) => [name, [true, 1, 1]] as const), ...notSeeing.map((name) => [name, [false, 1, 1]] as const)])(
    'is listed so in /v1 for: %s',
    async ([name, [shows, count, waiting]]) => {
      const { body } = await app.rest('GET', '/v1/data/game_scheduler', tokensOf(name));
      const { optedInPlayerUuids, optedInPlayersUuids, invitePlayersUuids, optedInCount, waitlistCount } = body.results.find(
        ({ title }: { title: string }) => title === 'Hidden',
      );
      const [players, invited] = shows ? [[people.player?.id], [people.invited?.id]] : [[], []];
      expect({ optedInPlayerUuids, optedInPlayersUuids, invitePlayersUuids, optedInCount, waitlistCount }).toEqual({
        optedInPlayerUuids: players,
        optedInPlayersUuids: players,
        invitePlayersUuids: invited,
        optedInCount: count,
        waitlistCount: waiting,
      });
    },
  );

  test('is no more open to a router that asks for somebody', async () => {
    const query = `{ _entities(representations: [{ __typename: "Game", id: "${hidden}" }]) { ... on Game { ${fields} } } }`;
    const ask = async (name: string) => {
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
    expect(await Promise.all(['owner', 'stranger', 'stranger with a platform', 'platform'].map(ask))).toEqual([
      [whole()],
      [empty],
      [empty],
      [whole()],
    ]);
  });
});

test('a game that shows its lists shows them to everybody', async () => {
  expect(await Promise.all([...seeing, ...notSeeing].map((name) => listsOf(open, name)))).toEqual(
    [...seeing, ...notSeeing].map(whole),
  );
});

describe('nobody finds out by asking otherwise who is in a hidden list', () => {
  const titles = ({ nodes, totalCount }: { nodes: { title: string }[]; totalCount: number }) => {
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ title }) => title).toSorted();
  };
  const lists = [
    ['playerIds', 'games', 'player'],
    ['waitingIds', 'awaitedGames', 'waiting'],
    ['invitedIds', 'gameInvitations', 'invited'],
  ] as const;
  const found = async (name: string, [field, relation, member]: (typeof lists)[number]) => {
    const id = people[member]?.id;
    const answer = await app.graphql(
      `{ has: games(filter: { ${field}: { has: "${id}" } }) { totalCount nodes { title } }
         hasAny: games(filter: { ${field}: { hasAny: ["nobody", "${id}"] } }) { totalCount nodes { title } }
         without: games(filter: { not: { ${field}: { has: "${id}" } } }) { totalCount nodes { title } }
         user(id: "${id}") { ${relation} { totalCount nodes { title } } } }`,
      {},
      tokensOf(name),
    );
    return [answer.has, answer.hasAny, answer.without, answer.user[relation]].map(titles);
  };

  test.for(lists)('%s: who sees the list finds whom it holds', async (list) =>
    expect(await Promise.all(seeing.map((name) => found(name, list)))).toEqual(
      seeing.map(() => [['Hidden', 'Open'], ['Hidden', 'Open'], [], ['Hidden', 'Open']]),
    ),
  );

  test.for(lists)('%s: others find themselves only', async (list) => {
    const others = notSeeing.filter((name) => name !== list[2]);
    expect(await Promise.all(others.map((name) => found(name, list)))).toEqual(
      others.map(() => [['Open'], ['Open'], ['Hidden'], ['Open']]),
    );
    expect(await found(list[2], list)).toEqual([['Hidden', 'Open'], ['Hidden', 'Open'], [], ['Hidden', 'Open']]);
  });
});
