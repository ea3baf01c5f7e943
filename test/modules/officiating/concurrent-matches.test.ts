import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

const count = 50;
const rounds = 4;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const teams = Array.from(
    { length: count },
    (_, n) => `t${n}: createTeam(input: { id: "team-${n}", tournamentId: "open" }) { id }`,
  );
  await app.graphql(`mutation { createTournament(input: { id: "open", title: "Open" }) { id } ${teams.join(' ')} }`);
});
afterAll(() => app.close());

const numbers = Array.from({ length: count }, (_, n) => n);

/** Sends one document that contains a mutation for each number, in the given order. Returns the HTTP status and the error codes. */
async function bulk(order: readonly number[], mutation: (n: number) => string): Promise<unknown> {
  const response = await fetch(`${app.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PB-API-TOKEN': app.platform.platform },
    body: JSON.stringify({ query: `mutation { ${order.map((n) => `m${n}: ${mutation(n)}`).join(' ')} }` }),
  });
  const { errors = [] } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return { status: response.status, errors: errors.map(({ extensions }) => extensions.code) };
}
const done = { status: 200, errors: [] };
const reversed = numbers.toReversed();

const prematch = (n: number, values: string, match = n) =>
  `upsertPrematch(input: { id: "p${n}", matchId: "match-${match}", ${values} }) { id }`;
const pregame = (n: number, values: string, match = n) =>
  `upsertPregame(input: { id: "g${n}", matchId: "match-${match}", ${values} }) { id }`;

const matches = () => app.sql.rows('select id, court, team_ids, games_started from match order by id');

/** Returns the matches that differ from the values computed from their prematch and pregame records. */
const staleMatches = () =>
  app.sql.rows(`select k.id from (select match_id from prematch union select match_id from pregame) r(id) full join match k using (id)
    where r.id is null or k.id is null
      or k.games_started <> (select count(distinct game_number) from pregame g where g.match_id = k.id)
      or k.court is distinct from (select p.court from prematch p where p.match_id = k.id and p.court is not null order by p.created_at desc, p.id limit 1)
      or k.team_ids <> array(select distinct t.id from (select coin_toss_team_id from prematch where match_id = k.id
        union all select serving_team_id from pregame where match_id = k.id) t(id) where t.id is not null order by t.id)`);

test('concurrent writes of the same matches in opposite orders all succeed', async () => {
  const answers = [];
  for (let round = 0; round < rounds; round++) {
    const values = {
      court: `court: "${round}", coinTossTeamId: "team-0"`,
      game: `gameNumber: ${round + 1}, servingTeamId: "team-1"`,
    };
    answers.push(
      await Promise.all([
        bulk(numbers, (n) => prematch(n, values.court)),
        bulk(reversed, (n) => pregame(n, values.game)),
        bulk(reversed, (n) => prematch(n, values.court)),
        bulk(numbers, (n) => pregame(n, values.game)),
      ]),
    );
  }
  expect({ answers, matches: await matches() }).toEqual({
    answers: Array(rounds).fill([done, done, done, done]),
    matches: numbers
      .map((n) => ({ id: `match-${n}`, court: String(rounds - 1), team_ids: ['team-0', 'team-1'], games_started: 1 }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  });
}, 60_000);

test('concurrent writes that move records between the same two matches all succeed', async () => {
  const answers = [];
  for (let round = 0; round < rounds; round++) {
    const [from, to] = round % 2 ? [1, 0] : [0, 1];
    answers.push(
      await Promise.all([
        bulk(numbers, (n) => prematch(n, 'court: "1"', n % 2 ? from : to)),
        bulk(reversed, (n) => pregame(n, 'gameNumber: 1', n % 2 ? to : from)),
        bulk(numbers, (n) => pregame(n, 'gameNumber: 1', n % 2 ? from : to)),
        bulk(reversed, (n) => prematch(n, 'court: "1"', n % 2 ? to : from)),
      ]),
    );
  }
  expect({ answers, stale: await staleMatches() }).toEqual({ answers: Array(rounds).fill([done, done, done, done]), stale: [] });
}, 60_000);

test('concurrent transactions that update the same matches in opposite orders all succeed', async () => {
  await Promise.all([bulk(numbers, (n) => prematch(n, 'court: "1"')), bulk(numbers, (n) => pregame(n, 'gameNumber: 1'))]);
  const update = (table: string, column: string, order: readonly number[]) =>
    app.sql.transaction(async () => {
      for (const n of order) await app.sql.rows(`update ${table} set ${column} = ${n} where match_id = 'match-${n}'`);
    });
  for (let round = 0; round < rounds; round++)
    await Promise.all([update('prematch', 'court', numbers), update('pregame', 'game_number', reversed)]);
  expect({ matches: (await matches()).map(({ id, court }) => `${id} ${court}`).sort(), stale: await staleMatches() }).toEqual({
    matches: numbers.map((n) => `match-${n} ${n}`).sort(),
    stale: [],
  });
}, 60_000);
