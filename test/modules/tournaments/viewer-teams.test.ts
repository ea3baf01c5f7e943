import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let player: Person;
beforeAll(async () => {
  app = await startApp();
  player = await app.person();
  await app.graphql(`mutation {
    a: upsertTournament(input: { id: "t", startsAt: "2026-03-01T00:00:00Z" }) { id }
    b: upsertEvent(input: { id: "late", tournamentId: "t", startsAt: "2026-05-01T00:00:00Z" }) { id }
    c: upsertEvent(input: { id: "early", tournamentId: "t", startsAt: "2026-02-01T00:00:00Z" }) { id }
    d: upsertEvent(input: { id: "unset", tournamentId: "t" }) { id }
    ${['late', 'unset', 'early'].map((id) => `${id}: upsertTeam(input: { id: "${id}", tournamentId: "t", eventId: "${id}", playerOneId: "${player.id}" }) { id }`).join('\n')}
    e: upsertTeam(input: { id: "none", playerTwoId: "${player.id}" }) { id }
  }`);
});
afterAll(() => app.close());

const teams = async (args = '') => {
  const answer = await app.graphql(
    `{ viewer { teams${args} { totalCount nodes { id } pageInfo { endCursor } } } }`,
    {},
    { user: player.user },
  );
  return answer.viewer?.teams ?? answer.errors;
};
const idsOf = ({ nodes }: { nodes: { id: string }[] }) => nodes.map(({ id }) => id);

test('the teams of the viewer are ordered by the start of their events, or of their tournaments', async () => {
  expect(idsOf(await teams())).toEqual(['early', 'unset', 'late', 'none']);
});

test('teams are ordered by EVENT_STARTS_AT in both directions, page by page', async () => {
  const order = 'orderBy: [{ field: EVENT_STARTS_AT, direction: DESC }]';
  const first = await teams(`(first: 2, ${order})`);
  const second = await teams(`(first: 2, after: "${first.pageInfo.endCursor}", ${order})`);
  const root = await app.graphql(`{ teams(${order}) { nodes { id } } }`);
  expect({ first: idsOf(first), second: idsOf(second), root: idsOf(root.teams) }).toEqual({
    first: ['late', 'unset'],
    second: ['early', 'none'],
    root: ['late', 'unset', 'early', 'none'],
  });
});

test('a cursor of the default order continues the list', async () => {
  const first = await teams('(first: 1)');
  expect(idsOf(await teams(`(first: 2, after: "${first.pageInfo.endCursor}")`))).toEqual(['unset', 'late']);
});
