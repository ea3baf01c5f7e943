import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let player: Person;
beforeAll(async () => {
  app = await startApp();
  player = await app.person();
});
afterAll(() => app.close());

// A process of the previous release keeps running while a new release adds columns.
test.each([
  [
    'a write by an owner',
    'registration',
    'mutation { updateRegistration(id: "none", input: { hasPartner: true }) { id } }',
    () => ({ user: player.user }),
    'NOT_FOUND',
  ],
  [
    'a write of an outdated version',
    'tournament',
    'mutation { updateTournament(id: "cup", input: { title: "Cup" }, ifVersion: 999) { id } }',
    () => app.platform,
    'CONFLICT',
  ],
] as const)(
  '%s gets the same error before and after a column is added to its table',
  async (_, table, mutation, tokensOf, code) => {
    await app.graphql('mutation { upsertTournament(input: { id: "cup", title: "Cup" }) { id } }');
    const codes = async () => {
      const answers = [];
      // Several requests at the same time use several connections.
      for (let round = 0; round < 4; round++)
        answers.push(...(await Promise.all(Array.from({ length: 6 }, () => app.graphql(mutation, {}, tokensOf())))));
      return [...new Set(answers.map(({ errors }) => String(errors).split(':')[0]))];
    };
    const before = await codes();
    await app.sql.rows(`alter table ${table} add added_later text`);
    expect({ before, after: await codes() }).toEqual({ before: [code], after: [code] });
  },
);
