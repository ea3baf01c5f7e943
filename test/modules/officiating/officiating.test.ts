import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test('a pregame shows the teams and the players who serve', async () => {
  const ana = await app.person({ firstName: 'Ana' });
  await app.graphql(`mutation { createTeam(input: { id: "home", seed: 1, playerOneId: "${ana.id}" }) { id } }`);
  const { createPregame } = await app.graphql(`mutation { createPregame(input: {
    matchId: "m1", gameNumber: 1, servingTeamId: "home", receivingTeamId: "nobody", leftTeamId: "home", teamOneFirstServerId: "${ana.id}"
  }) { servingTeam { playerOne { firstName } } receivingTeam { id } receivingTeamId leftTeam { seed } teamOneFirstServer { firstName } } }`);
  expect(createPregame).toEqual({
    servingTeam: { playerOne: { firstName: 'Ana' } },
    receivingTeam: null,
    receivingTeamId: 'nobody',
    leftTeam: { seed: 1 },
    teamOneFirstServer: { firstName: 'Ana' },
  });
});

test('a prematch shows the team that won the coin toss', async () => {
  await app.graphql('mutation { createTeam(input: { id: "lucky", seed: 7 }) { id } }');
  const { createPrematch } = await app.graphql(
    'mutation { createPrematch(input: { matchId: "m1", coinTossTeamId: "lucky" }) { coinTossTeam { seed } } }',
  );
  expect(createPrematch).toEqual({ coinTossTeam: { seed: 7 } });
});

test('a user without the referee role cannot read prematches', async () => {
  const { user } = await app.person();
  expect((await app.graphql('{ prematches { nodes { id } } }', {}, { user })).errors).toEqual([
    'FORBIDDEN: Not allowed: requires a platform token, or a user token with the role ADMIN or REFEREE',
  ]);
});
