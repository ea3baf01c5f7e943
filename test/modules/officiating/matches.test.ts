import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { subscribe } from '../../support/clients/event-stream.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let referee: Person;
let spectator: Person;
let visitor: Tokens;
beforeAll(async () => {
  app = await startApp();
  referee = await app.person({ roles: ['REFEREE'], firstName: 'Rae' });
  spectator = await app.person();
  visitor = { platform: (await newKey(app)).key };
});
afterAll(() => app.close());

const save = (type: string, input: object, tokens: Tokens = app.platform) =>
  app.graphql(
    `mutation ($input: ${type}Input!) { create${type.replace('TournamentEvent', 'Event')}(input: $input) { id } }`,
    { input },
    tokens,
  );

/** Creates a tournament with an event and two teams. Their IDs start with `id`. */
async function tournament(id: string, values: object = {}): Promise<void> {
  await save('Tournament', { id, title: id, ...values });
  await save('TournamentEvent', { id: `${id}-event`, tournamentId: id });
  for (const side of ['home', 'away']) await save('Team', { id: `${id}-${side}`, tournamentId: id, eventId: `${id}-event` });
}
const prematch = (matchId: string, values: object = {}, tokens: Tokens = referee) =>
  save('Prematch', { matchId, ...values }, tokens);
const pregame = (matchId: string, id: string, gameNumber = 1, tokens: Tokens = referee) =>
  save('Pregame', { matchId, gameNumber, servingTeamId: `${id}-home`, receivingTeamId: `${id}-away` }, tokens);

const matchesOf = (id: string, tokens: Tokens, fields = 'nodes { id }', args = '') =>
  app.graphql(`{ matches(tournamentId: "${id}"${args}) { ${fields} } }`, {}, tokens);

test('groups the prematches and pregames of a match by its ID', async () => {
  await tournament('grouped');
  await prematch('g-1', { court: '4', coinTossTeamId: 'grouped-home', scoringStartedAt: '2041-01-01T10:00:00Z' });
  await pregame('g-1', 'grouped', 1);
  await pregame('g-1', 'grouped', 2);
  const { matches } = await matchesOf(
    'grouped',
    referee,
    `totalCount nodes { id court gamesStarted scoringStartedAt tournament { id } event { id }
      prematch { coinTossTeamId } pregames(orderBy: [{ field: GAME_NUMBER }]) { nodes { gameNumber } }
      teams { nodes { id } } referees { nodes { firstName } } }`,
  );
  expect(matches).toEqual({
    totalCount: 1,
    nodes: [
      {
        id: 'g-1',
        court: '4',
        gamesStarted: 2,
        scoringStartedAt: '2041-01-01T10:00:00Z',
        tournament: { id: 'grouped' },
        event: { id: 'grouped-event' },
        prematch: { coinTossTeamId: 'grouped-home' },
        pregames: { nodes: [{ gameNumber: 1 }, { gameNumber: 2 }] },
        teams: { nodes: [{ id: 'grouped-away' }, { id: 'grouped-home' }] },
        referees: { nodes: [{ firstName: 'Rae' }] },
      },
    ],
  });
});

test('a match is read by its ID, and through its tournament, event and teams', async () => {
  await tournament('linked');
  await pregame('l-1', 'linked');
  const answer = await app.graphql(
    `{ tournament(id: "linked") { matches { nodes { id } } teams(filter: { id: { eq: "linked-home" } }) { nodes { matches { nodes { id } } } }
         events { nodes { matches { nodes { id } } } } }
       match(id: "l-1") { id } }`,
  );
  const nodes = [{ id: 'l-1' }];
  expect(answer).toEqual({
    tournament: {
      matches: { nodes },
      teams: { nodes: [{ matches: { nodes } }] },
      events: { nodes: [{ matches: { nodes } }] },
    },
    match: { id: 'l-1' },
  });
});

test('the matches of a tournament are read page by page', async () => {
  await tournament('paged');
  for (const number of [1, 2, 3]) await pregame(`p-${number}`, 'paged');
  const order = ', orderBy: [{ field: ID }], first: 2';
  const first = (await matchesOf('paged', referee, 'totalCount nodes { id } pageInfo { hasNextPage endCursor }', order)).matches;
  const second = await matchesOf(
    'paged',
    referee,
    'nodes { id } pageInfo { hasNextPage }',
    `${order}, after: "${first.pageInfo.endCursor}"`,
  );
  expect({ totalCount: first.totalCount, first: first.nodes, second: second.matches }).toEqual({
    totalCount: 3,
    first: [{ id: 'p-1' }, { id: 'p-2' }],
    second: { nodes: [{ id: 'p-3' }], pageInfo: { hasNextPage: false } },
  });
});

test('a match is updated with its records: teams that are created later, changed match IDs, deletions', async () => {
  const { createPregame } = await save('Pregame', { matchId: 'f-1', servingTeamId: 'follow-home' }, referee);
  const before = (await app.graphql('{ match(id: "f-1") { tournament { id } } }')).match;
  await tournament('follow');
  const withTeam = (await app.graphql('{ match(id: "f-1") { tournament { id } } }')).match;
  await app.graphql(`mutation { updatePregame(id: "${createPregame.id}", input: { matchId: "f-2" }) { id } }`);
  const renamed = (await matchesOf('follow', app.platform)).matches.nodes;
  await app.graphql(`mutation { deletePregame(id: "${createPregame.id}") { id } }`);
  expect({ before, withTeam, renamed, deleted: (await matchesOf('follow', app.platform)).matches.nodes }).toEqual({
    before: { tournament: null },
    withTeam: { tournament: { id: 'follow' } },
    renamed: [{ id: 'f-2' }],
    deleted: [],
  });
});

test('groups concurrently created records of a match', async () => {
  await tournament('busy');
  await Promise.all(Array.from({ length: 8 }, (_, index) => pregame('b-1', 'busy', index + 1)));
  expect((await app.graphql('{ match(id: "b-1") { gamesStarted } }')).match).toEqual({ gamesStarted: 8 });
});

test('the list has the new state of a match when the subscription reports its change', async () => {
  await tournament('watched');
  const stream = await subscribe(
    app,
    app.platform,
    'subscription { matches(tournamentId: "watched") { kind prematch { matchId } pregame { matchId gameNumber } } }',
  );
  const listed = async () => (await matchesOf('watched', spectator, 'nodes { id court gamesStarted }')).matches.nodes;
  const { createPregame } = await pregame('w-1', 'watched');
  const [created] = await stream.until(1);
  const listedAfterCreation = await listed();
  await prematch('w-1', { court: '7' });
  const [, entered] = await stream.until(2);
  const listedWithCourt = await listed();
  await app.graphql(`mutation { deletePregame(id: "${createPregame.id}") { id } }`);
  const events = await stream.until(3);
  stream.close();
  expect({
    created: created?.data?.matches,
    listedAfterCreation,
    entered: entered?.data?.matches,
    listedWithCourt,
    deleted: events.at(-1)?.data?.matches,
    listedAfterDeletion: await listed(),
  }).toEqual({
    created: { kind: 'CREATED', prematch: null, pregame: { matchId: 'w-1', gameNumber: 1 } },
    listedAfterCreation: [{ id: 'w-1', court: null, gamesStarted: 1 }],
    entered: { kind: 'CREATED', prematch: { matchId: 'w-1' }, pregame: null },
    listedWithCourt: [{ id: 'w-1', court: '7', gamesStarted: 1 }],
    deleted: { kind: 'DELETED', prematch: null, pregame: null },
    listedAfterDeletion: [],
  });
});

describe('spectators', () => {
  test('see public matches with teams and court, and no prematches and pregames, without errors', async () => {
    await tournament('open');
    await prematch('o-1', { court: 'Center', teamOnePlayerOneNote: 'Warned.' });
    await pregame('o-1', 'open');
    const fields = 'nodes { court gamesStarted teams { totalCount } referees { totalCount } }';
    const records = (tokens: Tokens) =>
      matchesOf('open', tokens, 'nodes { id prematch { id } pregames { totalCount nodes { id } } }');
    const withoutRecords = { matches: { nodes: [{ id: 'o-1', prematch: null, pregames: { totalCount: 0, nodes: [] } }] } };
    expect({
      shown: (await matchesOf('open', spectator, fields)).matches.nodes,
      toSpectator: await records(spectator),
      toVisitor: await records(visitor),
    }).toEqual({
      shown: [{ court: 'Center', gamesStarted: 1, teams: { totalCount: 2 }, referees: { totalCount: 1 } }],
      toSpectator: withoutRecords,
      toVisitor: withoutRecords,
    });
  });

  test('get the changes of public matches, without the records of the referees', async () => {
    await tournament('live');
    const stream = await subscribe(
      app,
      visitor,
      `subscription { matches(tournamentId: "live") {
        kind changedFields prematch { id } pregame { id } tournamentReferee { id } match { id court gamesStarted } } }`,
    );
    await pregame('live-1', 'live');
    await stream.until(1);
    const { createPrematch } = await prematch('live-1', { court: '3' });
    await stream.until(2);
    await app.graphql(
      `mutation { updatePrematch(id: "${createPrematch.id}", input: { court: "4", teamOnePlayerOneNote: "Warned." }) { id } }`,
    );
    const events = await stream.until(3);
    stream.close();
    const hidden = { changedFields: [], prematch: null, pregame: null, tournamentReferee: null };
    expect(events.map(({ data, errors }) => errors ?? data?.matches)).toEqual([
      { ...hidden, kind: 'CREATED', match: { id: 'live-1', court: null, gamesStarted: 1 } },
      { ...hidden, kind: 'CREATED', match: { id: 'live-1', court: '3', gamesStarted: 1 } },
      { ...hidden, kind: 'CHANGED', match: { id: 'live-1', court: '4', gamesStarted: 1 } },
    ]);
  });

  test('get no changes of matches of a tournament that hides its players, except their own', async () => {
    await tournament('masked', { hidesPlayers: true });
    const player = await app.person();
    await app.graphql(`mutation { updateTeam(id: "masked-home", input: { playerOneId: "${player.id}" }) { id } }`);
    const firstEventOf = async (tokens: Tokens) => {
      const stream = await subscribe(
        app,
        tokens,
        'subscription { matches(tournamentId: "masked") { kind match { id } tournamentReferee { userId } } }',
      );
      return async () => {
        const [event] = await stream.until(1);
        stream.close();
        return event?.data?.matches;
      };
    };
    const [ofVisitor, ofSpectator, ofPlayer] = [
      await firstEventOf(visitor),
      await firstEventOf(spectator),
      await firstEventOf(player),
    ];
    await pregame('masked-1', 'masked');
    await save('TournamentReferee', { tournamentId: 'masked', userId: referee.id });
    const assignment = { kind: 'CREATED', match: null, tournamentReferee: { userId: referee.id } };
    expect({ visitor: await ofVisitor(), spectator: await ofSpectator(), player: await ofPlayer() }).toEqual({
      visitor: assignment,
      spectator: assignment,
      player: { kind: 'CREATED', match: { id: 'masked-1' }, tournamentReferee: null },
    });
  });

  test('do not see the court and the referees if the tournament hides them', async () => {
    await tournament('discreet', { scoreCard: { hidesCourts: true, hidesReferees: true } });
    await prematch('d-1', { court: 'Center' });
    await pregame('d-1', 'discreet');
    const read = async (tokens: Tokens) =>
      (await matchesOf('discreet', tokens, 'nodes { court referees { totalCount } }')).matches.nodes;
    expect({ spectator: await read(spectator), referee: await read(referee) }).toEqual({
      spectator: [{ court: null, referees: { totalCount: 0 } }],
      referee: [{ court: 'Center', referees: { totalCount: 1 } }],
    });
  });

  test('do not see matches without a tournament, or of tournaments that hide their players, except their own', async () => {
    await tournament('hidden', { hidesPlayers: true });
    const player = await app.person();
    await app.graphql(`mutation { updateTeam(id: "hidden-home", input: { playerOneId: "${player.id}" }) { id } }`);
    await pregame('h-1', 'hidden');
    await pregame('n-1', 'nowhere');
    const read = async (tokens: Tokens) => {
      const { matches, match } = await app.graphql(
        '{ matches(tournamentId: "hidden") { totalCount } match(id: "n-1") { id } }',
        {},
        tokens,
      );
      return { hidden: matches.totalCount, ofNoTournament: match !== null };
    };
    expect({ spectator: await read(spectator), player: await read(player), referee: await read(referee) }).toEqual({
      spectator: { hidden: 0, ofNoTournament: false },
      player: { hidden: 1, ofNoTournament: false },
      referee: { hidden: 1, ofNoTournament: true },
    });
  });
});

test('matches of a list of tournaments and teams take the same number of statements for any number of rows', async () => {
  const query = (count: number) => `{ tournaments(first: ${count}, orderBy: [{ field: ID }]) { nodes {
    matches { nodes { id court prematch { id } pregames { nodes { id } } teams { nodes { id } } referees { nodes { id } } } }
    teams { nodes { matches { nodes { id } } } } } } }`;
  for (const id of ['many-1', 'many-2', 'many-3']) {
    await tournament(id);
    await prematch(`${id}-m`, { court: '1' });
    await pregame(`${id}-m`, id);
  }
  const [one, all] = [
    await statementsOf(app, () => app.graphql(query(1))),
    await statementsOf(app, () => app.graphql(query(20))),
  ];
  expect({ isBounded: all <= one }).toEqual({ isBounded: true });
});
