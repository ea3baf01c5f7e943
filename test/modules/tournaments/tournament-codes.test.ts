import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tournamentsOf } from '../../support/fixtures/tournaments.js';
import { startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let code: string;
const { save } = tournamentsOf(() => app);
beforeAll(async () => {
  app = await startApp();
  code = (await save({ id: 't' }, 'refereeCode')).refereeCode;
});
afterAll(() => app.close());

describe('the referee code', () => {
  test('is visible to platforms, referees and admins, and null for others', async () => {
    const codeSeenBy = async (tokens: Tokens) =>
      (await app.graphql('{ tournament(id: "t") { refereeCode } }', {}, tokens)).tournament.refereeCode;
    const { user } = await app.person();
    expect({
      platform: await codeSeenBy(app.platform),
      platformWithUser: await codeSeenBy({ ...app.platform, user }),
      referee: await codeSeenBy(await app.person({ roles: ['REFEREE'] })),
      admin: await codeSeenBy(await app.person({ roles: ['ADMIN'] })),
      superAdmin: await codeSeenBy(await app.person({ isSuperAdmin: true })),
      user: await codeSeenBy({ user }),
      newsAdmin: await codeSeenBy(await app.person({ roles: ['NEWS_ADMIN'] })),
    }).toEqual({
      ...{ platform: code, platformWithUser: code, referee: code, admin: code, superAdmin: code },
      ...{ user: null, newsAdmin: null },
    });
  });

  test('is empty in /v1 for other users', async () => {
    const codesSeenBy = async (tokens: Tokens) => {
      const { body: single } = await app.rest('GET', '/v1/data/tourney_flat_data?tournament_uuid=t', tokens);
      const { body: list } = await app.rest('GET', '/v1/data/tourney_flat_data', tokens);
      return { single: single.result.RefereeAppCode, list: list.results[0].RefereeAppCode };
    };
    const { user } = await app.person();
    expect({
      platform: await codesSeenBy(app.platform),
      user: await codesSeenBy({ user }),
      referee: await codesSeenBy(await app.person({ roles: ['REFEREE'] })),
    }).toEqual({
      platform: { single: code, list: code },
      user: { single: '', list: '' },
      referee: { single: code, list: code },
    });
  });

  test('cannot be used to filter or order tournaments', async () => {
    const { filter, order } = await app.graphql(
      '{ filter: __type(name: "TournamentFilter") { inputFields { name } } order: __type(name: "TournamentOrderField") { enumValues { name } } }',
    );
    const names: string[] = [...filter.inputFields, ...order.enumValues].map(({ name }: { name: string }) => name.toLowerCase());
    expect(names).toContain('code');
    expect(names.filter((name) => /referee_?code/.test(name))).toEqual([]);
  });

  test('finds the tournament in any letter case, but only for platforms, referees and super admins', async () => {
    const find = async (tokens: Tokens, text = code) => {
      const query = 'query ($code: String!) { tournamentByRefereeCode(code: $code) { id } }';
      const answer = await app.graphql(query, { code: text }, tokens);
      return answer.errors?.[0] ?? answer.tournamentByRefereeCode?.id ?? null;
    };
    const referee = await app.person({ roles: ['REFEREE'] });
    expect({
      platform: await find(app.platform),
      platformInLowerCase: await find(app.platform, code.toLowerCase()),
      platformWithWrongCode: await find(app.platform, `${code}X`),
      refereeInLowerCase: await find(referee, code.toLowerCase()),
      superAdmin: await find(await app.person({ isSuperAdmin: true })),
      user: await find(await app.person()),
      withoutToken: await find({}),
    }).toEqual({
      platform: 't',
      platformInLowerCase: 't',
      platformWithWrongCode: null,
      refereeInLowerCase: 't',
      superAdmin: 't',
      user: 'FORBIDDEN: Not allowed: requires a platform token, or a user token with the role REFEREE',
      withoutToken:
        'UNAUTHENTICATED: Authentication required: send a platform token (header PB-API-TOKEN), or a user token with the role REFEREE (header PB-USER-TOKEN)',
    });
  });
});
