import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '../../../src/commands/supergraph/gateway/index.js';
import { type OpenSubscription, type ReceivedEvent, subscribe } from '../../support/clients/event-stream.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';
import { gatewayOf, type SubgraphProcesses, startSubgraphs } from '../../support/servers/federation.js';
import { type FieldCase, fieldCases, subscriptionFields, subscriptionTo } from './field-cases.js';

const engines = ['hive', 'hive-js'] as const;
type Endpoint = 'own' | (typeof engines)[number];
const endpoints: readonly Endpoint[] = ['own', ...engines];

/** URLs in responses start with this origin at every endpoint, so that the responses can be compared. */
const environment = { PUBLIC_URL: 'http://courtside.test' };

let app: TestApp;
let subgraphs: SubgraphProcesses;
let gateways: Record<(typeof engines)[number], Gateway>;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp(environment);
  ana = await app.person();
  ben = await app.person({ roles: ['CONTENT_CONFIRMER'] });
  subgraphs = await startSubgraphs(app, 2, environment);
  const [hive, js] = await Promise.all([gatewayOf('hive', subgraphs), gatewayOf('hive-js', subgraphs)]);
  gateways = { hive, 'hive-js': js };
  await app.graphql(`mutation {
    upsertClub(input: { id: "club", title: "Club" }) { id }
    upsertTournament(input: { id: "cup", title: "Cup", clubId: "club" }) { id }
    upsertTeam(input: { id: "team", tournamentId: "cup" }) { id }
  }`);
  await app.sql.rows(`insert into game (id, owner_id, title, starts_at) values ('game', $1, 'Round', now() + interval '1 day')`, [
    ana.id,
  ]);
}, 240_000);
afterAll(async () => {
  await Promise.all(Object.values(gateways).map((gateway) => gateway.stop()));
  await subgraphs.stop();
  await app.close();
});

const originOf = (endpoint: Endpoint) => (endpoint === 'own' ? app.origin : new URL(gateways[endpoint].url).origin);
const subscribeAt = (endpoint: Endpoint, tokens: Tokens, query: string): Promise<OpenSubscription> =>
  subscribe({ origin: originOf(endpoint) }, tokens, query);
const atEachEndpoint = async <T>(work: (endpoint: Endpoint) => Promise<T>): Promise<Record<Endpoint, T>> =>
  Object.fromEntries(await Promise.all(endpoints.map(async (name) => [name, await work(name)]))) as Record<Endpoint, T>;
const sameForEach = <T>(value: T): Record<Endpoint, T> => ({ own: value, hive: value, 'hive-js': value });
const save = (title: string) =>
  app.graphql('mutation ($title: String) { updateTournament(id: "cup", input: { title: $title }) { id } }', { title });

test('each field of Subscription has a test case', () => {
  expect(Object.keys(fieldCases).sort()).toEqual([...subscriptionFields].sort());
});

test.each(subscriptionFields)(
  'gateways send the same events of %s as the graph: live, after a cursor, and after a forgotten cursor',
  async (name) => {
    const { subscriber, hiddenChange, changes } = fieldCases[name] as FieldCase;
    const tokens = { platform: app.platform, ana, ben }[subscriber];
    await app.graphql('mutation { upsertTournament(input: { id: "other", clubId: "club" }) { id } }');
    const { liveCursor } = await app.graphql('{ liveCursor }');
    const live = await atEachEndpoint((endpoint) => subscribeAt(endpoint, tokens, subscriptionTo(name)));
    await hiddenChange?.(app);
    for (const [index, change] of changes.entries()) {
      await change(app);
      // Waits for the event before the next change, because an event contains the state of the record at the time of sending.
      await atEachEndpoint((endpoint) => live[endpoint].until(index + 1));
    }
    const count = changes.length;
    const liveEvents = await atEachEndpoint((endpoint) => live[endpoint].until(count));
    expect(liveEvents).toEqual(sameForEach(liveEvents.own));
    expect(liveEvents.own.map(({ data }) => data?.[name]?.kind)).toHaveLength(count);

    const resumed = await atEachEndpoint((endpoint) => subscribeAt(endpoint, tokens, subscriptionTo(name, liveCursor)));
    const missedEvents = await atEachEndpoint((endpoint) => resumed[endpoint].until(count));
    expect(missedEvents).toEqual(sameForEach(missedEvents.own));

    const forgotten = Buffer.from('anotherl.1').toString('base64url');
    const restarted = await atEachEndpoint((endpoint) => subscribeAt(endpoint, tokens, subscriptionTo(name, forgotten)));
    const restartEvents = await atEachEndpoint((endpoint) => restarted[endpoint].until(1));
    expect(restartEvents).toEqual(sameForEach(restartEvents.own));
    expect(restartEvents.own[0]?.data?.[name]?.kind).toBe('CHANGES_MISSED');
    for (const endpoint of endpoints) for (const streams of [live, resumed, restarted]) streams[endpoint].close();
  },
);

/** Sends an operation. Returns the whole response, without the keep-alive comments of an event stream. */
async function responseTo(url: string, body: object, headers: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: (await response.text()).replace(/^:\n\n/gm, ''),
  };
}

test.each([
  ['an unknown record', 'subscription { tournament(id: "none") { id } }', {}],
  ['an invalid cursor', 'subscription { cup: tournament(id: "cup", after: "x") { id } }', {}],
  ['an unknown field', 'subscription { tournament(id: "cup") { kin } }', {}],
  ['two fields', 'subscription { tournament(id: "cup") { id } teams(tournamentId: "cup") { id } }', {}],
  ['a missing variable', 'subscription ($id: ID!) { tournament(id: $id) { id } }', {}],
  ['a skipped field', 'subscription { teams(tournamentId: "x") @skip(if: true) { kind } }', {}],
  [
    'a condition in a fragment',
    'subscription ($no: Boolean = false) { ...A } fragment A on Subscription { teams(tournamentId: "x") @include(if: $no) { kind } }',
    {},
  ],
  ['a missing token', 'subscription { tournament(id: "cup") { id } }', { 'pb-api-token': '' }],
  ['an unknown token', 'subscription { tournament(id: "cup") { id } }', { 'pb-api-token': 'unknown' }],
  [
    'notifications of another user',
    'subscription { notifications(userId: "person-2") { id } }',
    { 'pb-api-token': '', 'pb-user-token': 'ana' },
  ],
])('gateways reject %s with the same response as the graph', async (_, query, more) => {
  const tokens = { 'pb-api-token': app.platform.platform, ...more };
  if (tokens['pb-user-token' as keyof typeof tokens]) Object.assign(tokens, { 'pb-user-token': ana.user });
  const responses = await atEachEndpoint((endpoint) => responseTo(`${originOf(endpoint)}/graphql`, { query }, tokens));
  expect(responses).toEqual(sameForEach(responses.own));
  expect(responses.own.body).toContain('"errors":[{');
});

test.each(['application/json', 'text/html', 'multipart/mixed'])(
  'gateways reject a subscription that accepts only %s with the same 406 response as the graph',
  async (accept) => {
    const responses = await atEachEndpoint((endpoint) =>
      responseTo(
        `${originOf(endpoint)}/graphql`,
        { query: 'subscription { tournament(id: "cup") { id } }' },
        { 'pb-api-token': app.platform.platform, accept },
      ),
    );
    expect(responses).toEqual(sameForEach(responses.own));
    const { status, body } = responses.own;
    expect({ status, body }).toEqual({ status: 406, body: expect.stringContaining('expected text/event-stream') });
  },
);

const query = 'subscription { tournament(id: "cup") { cursor tournament { title club { title } } } }';
const resultOf = ({ data, errors = [] }: ReceivedEvent) => ({
  tournament: data?.tournament?.tournament ?? null,
  errors: errors.map(({ extensions: { code }, message }) => ({ code, message })),
});
const club = { title: 'Club' };
const unavailable = (module: string) => ({
  code: 'UNAVAILABLE',
  message: `${module}: this part of the graph is temporarily unavailable`,
});

test.each(engines)('with %s, an event lacks only the fields of an unavailable subgraph', async (engine) => {
  const stream = await subscribeAt(engine, app.platform, query);
  await save('One');
  await stream.until(1);
  subgraphs.lines.faults = { leagues: 'gone' };
  await save('Two');
  await stream.until(2);
  subgraphs.lines.faults = {};
  await save('Three');
  expect((await stream.until(3)).map(resultOf)).toEqual([
    { tournament: { title: 'One', club }, errors: [] },
    { tournament: { title: 'Two', club: { title: null } }, errors: [unavailable('leagues')] },
    { tournament: { title: 'Three', club }, errors: [] },
  ]);
  stream.close();
});

test.each(engines)('with %s, the stream of the subgraph ends when the client disconnects', async (engine) => {
  const { lines } = subgraphs;
  await expect.poll(() => lines.open('tournaments')).toBe(0);
  const stream = await subscribeAt(engine, app.platform, query);
  const streamsWhileSubscribed = lines.open('tournaments');
  stream.close();
  await expect.poll(() => lines.open('tournaments')).toBe(0);
  expect(streamsWhileSubscribed).toBe(1);
});

test.each(engines)('with %s, a revoked token ends the stream with UNAUTHENTICATED', async (engine) => {
  const person = await app.person();
  const stream = await subscribeAt(engine, { user: person.user }, query);
  await app.sql.rows('delete from user_token where user_id = $1', [person.id]);
  await stream.end;
  const error = { code: 'UNAUTHENTICATED', message: 'the token is unknown, expired or revoked' };
  expect(stream.events.map(resultOf)).toEqual([{ tournament: null, errors: [error] }]);
});

test('a killed subgraph ends its streams with UNAVAILABLE, and its last cursor resumes them without a gap', async () => {
  const streams = await Promise.all(engines.map((engine) => subscribeAt(engine, app.platform, query)));
  await save('Before');
  const eventsBefore = await Promise.all(streams.map((stream) => stream.until(1)));
  await subgraphs.kill('tournaments');
  await Promise.all(streams.map(({ end }) => end));
  expect(streams.map(({ events }) => events.slice(1).map(resultOf))).toEqual(
    engines.map(() => [{ tournament: null, errors: [unavailable('tournaments')] }]),
  );
  await save('Missed');
  await subgraphs.startAgain('tournaments');
  for (const [index, engine] of engines.entries()) {
    const cursor = eventsBefore[index]?.[0]?.data?.tournament?.cursor;
    const resumed = await subscribeAt(engine, app.platform, query.replace('"cup"', `"cup", after: "${cursor}"`));
    expect((await resumed.until(1)).map(resultOf)).toEqual([{ tournament: { title: 'Missed', club }, errors: [] }]);
    resumed.close();
  }
});
