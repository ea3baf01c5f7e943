import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { subscribe } from '../../support/clients/event-stream.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
  ben = await app.person({ roles: ['CONTENT_CONFIRMER'] });
  await app.graphql('mutation { upsertTournament(input: { id: "cup", title: "Cup" }) { id } }');
});
afterAll(() => app.close());

const run = (text: string, tokens?: Tokens) => app.graphql(`mutation { ${text} }`, {}, tokens);

/** Subscribes to a field while a function makes changes. Returns the events that arrive, with their kind, ID and `selection`. */
async function eventsOf(
  field: string,
  selection: string,
  tokens: Tokens,
  count: number,
  change: (untilReceived: (count: number) => Promise<unknown>) => Promise<unknown>,
) {
  const name = field.split('(')[0] ?? '';
  const stream = await subscribe(app, tokens, `subscription { ${field} { kind id ${selection} } }`);
  await change(stream.until);
  const results = await stream.until(count);
  stream.close();
  return results.map(({ data, errors }) => errors ?? data?.[name]);
}

/** Returns the first error of a subscription that the service rejects. */
async function rejectionOf(field: string, tokens: Tokens) {
  const stream = await subscribe(app, tokens, `subscription { ${field} }`);
  const [result] = await stream.until(1);
  return result?.errors?.[0];
}

test('teams sends the teams that enter, change in and leave a tournament, and no teams of other tournaments', async () => {
  const events = await eventsOf('teams(tournamentId: "cup")', 'team { seed tournamentId }', app.platform, 4, async () => {
    await run('upsertTeam(input: { id: "t1", tournamentId: "cup", seed: 1 }) { id }');
    await run('upsertTeam(input: { id: "t2", tournamentId: "other" }) { id }');
    await run('upsertTeam(input: { id: "t1", seed: 2 }) { id }');
    await run('upsertTeam(input: { id: "t1", tournamentId: "other" }) { id }');
    await run('upsertTeam(input: { id: "t1", seed: 3 }) { id }');
    await run('upsertTeam(input: { id: "t3", tournamentId: "cup" }) { id }');
  });
  expect(events.map((event) => Object(event).kind)).toEqual(['CREATED', 'CHANGED', 'CHANGED', 'CREATED']);
  expect(events.at(-1)).toEqual({ kind: 'CREATED', id: 't3', team: { seed: null, tournamentId: 'cup' } });
});

test('standings sends the created and deleted final standings of an event', async () => {
  const events = await eventsOf('standings(eventId: "e1")', 'finalStanding { finalRanking }', app.platform, 2, async () => {
    await run('upsertFinalStanding(input: { id: "s1", eventId: "e1", teamId: "t1", finalRanking: 2 }) { id }');
    await run('deleteFinalStanding(id: "s1") { id }');
  });
  expect(events.map((event) => ({ kind: Object(event).kind, id: Object(event).id }))).toEqual([
    { kind: 'CREATED', id: 's1' },
    { kind: 'DELETED', id: 's1' },
  ]);
  expect(Object(events[1]).finalStanding).toBeNull();
});

test('matches sends the match records that name a team of the tournament', async () => {
  await run('upsertTeam(input: { id: "m1", tournamentId: "cup" }) { id }');
  const events = await eventsOf(
    'matches(tournamentId: "cup")',
    'prematch { matchId } pregame { gameNumber } tournamentReferee { tournamentId }',
    app.platform,
    4,
    async () => {
      await run('upsertPrematch(input: { id: "p0", matchId: "elsewhere" }) { id }');
      await run('upsertPrematch(input: { id: "p1", matchId: "match", coinTossTeamId: "m1" }) { id }');
      await run('upsertPregame(input: { id: "g1", matchId: "match", gameNumber: 1 }) { id }');
      await run('upsertPregame(input: { id: "g2", servingTeamId: "m1", gameNumber: 2 }) { id }');
      await run('upsertTournamentReferee(input: { id: "r1", tournamentId: "cup" }) { id }');
    },
  );
  expect(events).toEqual([
    { kind: 'CREATED', id: 'p1', prematch: { matchId: 'match' }, pregame: null, tournamentReferee: null },
    { kind: 'CREATED', id: 'g1', prematch: null, pregame: { gameNumber: 1 }, tournamentReferee: null },
    { kind: 'CREATED', id: 'g2', prematch: null, pregame: { gameNumber: 2 }, tournamentReferee: null },
    { kind: 'CREATED', id: 'r1', prematch: null, pregame: null, tournamentReferee: { tournamentId: 'cup' } },
  ]);
});

const addGame = (id: string, isInviteOnly: boolean) =>
  app.sql.rows(
    `insert into game (id, owner_id, title, is_invite_only, starts_at) values ($1, 'x', 'Round', $2, now() + interval '1 day')`,
    [id, isInviteOnly],
  );

test('game stops sending fields and changes of a game that becomes invite-only, except its deletion', async () => {
  await addGame('open', false);
  const events = await eventsOf('game(id: "open")', 'changedFields game { title }', ana, 3, async (untilReceived) => {
    await app.sql.rows(`update game set title = 'One' where id = 'open'`);
    await untilReceived(1);
    await app.sql.rows(`update game set is_invite_only = true where id = 'open'`);
    await untilReceived(2);
    await app.sql.rows(`update game set title = 'Secret' where id = 'open'`);
    await app.graphql('{ liveCursor }');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await app.sql.rows(`delete from game where id = 'open'`);
  });
  expect(events).toEqual([
    { kind: 'CHANGED', id: 'open', changedFields: ['title'], game: { title: 'One' } },
    { kind: 'CHANGED', id: 'open', changedFields: ['isInviteOnly'], game: null },
    { kind: 'DELETED', id: 'open', changedFields: [], game: null },
  ]);
  expect(JSON.stringify(events)).not.toContain('Secret');
});

test('game rejects an invite-only game that the caller cannot see', async () => {
  await addGame('closed', true);
  expect(await rejectionOf('game(id: "closed") { id }', ana)).toMatchObject({
    message: 'no game with the id closed',
    extensions: { code: 'NOT_FOUND' },
  });
});

describe('notifications', () => {
  const addNotification = (id: string, userId: string) =>
    app.sql.rows(`insert into notification (id, user_id, event, content) values ($1, $2, 'GAME_CANCELED', 'text')`, [id, userId]);
  const notifyBoth = async () => {
    await addNotification(`ben-${Math.random()}`, ben.id);
    await addNotification(`ana-${Math.random()}`, ana.id);
  };
  const selection = 'notification { content user { id } }';
  const notificationOfAna = () => ({
    kind: 'CREATED',
    id: expect.stringMatching(/^ana/),
    notification: { content: 'text', user: { id: ana.id } },
  });

  test('sends a user only their own', async () =>
    expect(await eventsOf('notifications', selection, ana, 1, notifyBoth)).toEqual([notificationOfAna()]));

  test('sends a platform the notifications of the user in `userId`', async () =>
    expect(await eventsOf(`notifications(userId: "${ana.id}")`, selection, app.platform, 1, notifyBoth)).toEqual([
      notificationOfAna(),
    ]));

  test('rejects a user who names another user', async () =>
    expect((await rejectionOf(`notifications(userId: "${ana.id}") { id }`, ben))?.extensions.code).toBe('FORBIDDEN'));
});

test("approvals sends an item when it starts and stops waiting, but not the approver's own items", async () => {
  const addBiography = (id: string, ownerId: string) =>
    app.sql.rows(`insert into biography (id, user_id, approval_state) values ($1, $2, 'PENDING')`, [id, ownerId]);
  const events = await eventsOf('approvals', 'isWaiting itemType item { id }', ben, 2, async (untilReceived) => {
    await addBiography('own', ben.id);
    await addBiography('bio', ana.id);
    await untilReceived(1);
    await app.sql.rows(`update biography set approval_state = 'DECLINED' where id = 'bio'`);
  });
  expect(events.at(-1)).toEqual({ kind: 'CHANGED', id: 'bio', isWaiting: false, itemType: 'BIOGRAPHY', item: { id: 'bio' } });
  expect(JSON.stringify(events)).not.toContain('own');
});

test('an item that a platform approved no longer waits for that platform', async () => {
  await app.sql.rows(`insert into biography (id, user_id, approval_state, approval_required) values ('two', $1, 'PENDING', 2)`, [
    ana.id,
  ]);
  const events = await eventsOf('approvals', 'isWaiting itemType item { id }', app.platform, 1, () =>
    run('approveItem(type: BIOGRAPHY, id: "two") { state }'),
  );
  expect(events).toMatchObject([{ kind: 'CREATED', isWaiting: false, itemType: 'BIOGRAPHY', item: { id: 'two' } }]);
});

test('changes sends a platform the changes of several records after a cursor, each with its author', async () => {
  const { liveCursor } = await app.graphql('{ liveCursor }');
  await run('upsertLeague(input: { id: "l1", title: "League" }) { id }');
  await run('upsertTeam(input: { id: "t9", seed: 1 }) { id }', { ...app.platform, ...ana });
  const events = await eventsOf(
    `changes(records: ["League", "Team"], after: "${liveCursor}")`,
    'record userId platformId node { nodeId ... on League { title } ... on Team { seed } }',
    app.platform,
    2,
    async () => undefined,
  );
  expect(events).toMatchObject([
    { kind: 'CREATED', id: 'l1', record: 'League', userId: null, platformId: 'test-platform', node: { title: 'League' } },
    { kind: 'CREATED', id: 't9', record: 'Team', userId: ana.id, platformId: 'test-platform', node: { seed: 1 } },
  ]);
});

test.each([
  ['changes(records: ["Tournament", "UserToken"]) { id }', 'BAD_INPUT', 'records[1]'],
  ['changes(records: []) { id }', 'BAD_INPUT', 'records'],
  ['tournament(id: "cup") @skip(if: false) { id }', 'BAD_INPUT', 'without @skip and @include'],
  ['tournament(id: "nowhere") { id }', 'NOT_FOUND', 'no tournament with the id nowhere'],
  ['tournament(id: "cup", after: "nonsense") { id }', 'BAD_INPUT', 'after'],
])('rejects a subscription to %s with %s', async (field, code, text) => {
  const error = await rejectionOf(field, app.platform);
  expect({ code: error?.extensions.code, message: error?.message }).toEqual({ code, message: expect.stringContaining(text) });
});

test('each field of Subscription takes `after` and documents who may use it', () => {
  const fields = Object.values(graphOfModules().getSubscriptionType()?.getFields() ?? {});
  expect(fields.map(({ name }) => name).sort()).toEqual([
    'approvals',
    'changes',
    'game',
    'matches',
    'notifications',
    'standings',
    'teams',
    'tournament',
  ]);
  for (const { name, args, description } of fields)
    expect({ name, lastArgument: args.at(-1)?.name, hasPolicy: /For: \S/.test(description ?? '') }).toEqual({
      name,
      lastArgument: 'after',
      hasPolicy: true,
    });
});
