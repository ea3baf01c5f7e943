import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp, type Tokens } from '../support/app.js';
import { tournamentsOf } from '../support/tournaments.js';

let app: TestApp;
let code: string;
const { save } = tournamentsOf(() => app);
beforeAll(async () => {
  app = await startApp();
  code = (await save({ id: 't' }, 'refereeCode')).refereeCode;
});
afterAll(() => app.close());

describe("the referees' code", () => {
  test('is shown to platforms, referees and admins, and is null to others', async () => {
    const seenBy = async (tokens: Tokens) =>
      (await app.graphql('{ tournament(id: "t") { refereeCode } }', {}, tokens)).tournament.refereeCode;
    const { user } = await app.person();
    const shown = [
      await seenBy(app.platform),
      await seenBy({ ...app.platform, user }),
      await seenBy(await app.person({ roles: ['REFEREE'] })),
      await seenBy(await app.person({ roles: ['ADMIN'] })),
      await seenBy(await app.person({ isSuperAdmin: true })),
    ];
    const hidden = [await seenBy({ user }), await seenBy(await app.person({ roles: ['NEWS_ADMIN'] }))];
    expect([shown, hidden]).toEqual([Array(5).fill(code), [null, null]]);
  });

  test('is empty under /v1 for other users', async () => {
    const seenBy = async (tokens: Tokens) => {
      const { body } = await app.rest('GET', '/v1/data/tourney_flat_data?tournament_uuid=t', tokens);
      const { body: list } = await app.rest('GET', '/v1/data/tourney_flat_data', tokens);
      return [body.result.RefereeAppCode, list.results[0].RefereeAppCode];
    };
    const { user } = await app.person();
    expect([await seenBy(app.platform), await seenBy({ user }), await seenBy(await app.person({ roles: ['REFEREE'] }))]).toEqual([
      [code, code],
      ['', ''],
      [code, code],
    ]);
  });

  test('is no way to filter or order tournaments', async () => {
    const { filter, order } = await app.graphql(
      '{ filter: __type(name: "TournamentFilter") { inputFields { name } } order: __type(name: "TournamentOrderField") { enumValues { name } } }',
    );
    const ways = [...filter.inputFields, ...order.enumValues].map(({ name }: { name: string }) => name.toLowerCase());
    expect([ways.includes('code'), ways.filter((name) => /referee_?code/.test(name))]).toEqual([true, []]);
  });

  test('leads platforms and referees to the tournament, in any case, and nobody else', async () => {
    const find = async (tokens: Tokens, text = code) => {
      const query = 'query ($code: String!) { tournamentByRefereeCode(code: $code) { id } }';
      const answer = await app.graphql(query, { code: text }, tokens);
      return answer.errors?.[0] ?? answer.tournamentByRefereeCode?.id ?? null;
    };
    const referee = await app.person({ roles: ['REFEREE'] });
    expect([
      await find(app.platform),
      await find(app.platform, code.toLowerCase()),
      await find(app.platform, `${code}X`),
      await find(referee, code.toLowerCase()),
      await find(await app.person({ isSuperAdmin: true })),
      await find(await app.person()),
      await find({}),
    ]).toEqual([
      't',
      't',
      null,
      't',
      't',
      'FORBIDDEN: only for: platform or permission REFEREE',
      'UNAUTHENTICATED: a token is needed: platform or permission REFEREE',
    ]);
  });
});
