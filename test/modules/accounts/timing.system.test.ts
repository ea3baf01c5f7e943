import { expect, onTestFinished, test } from 'vitest';
import { defaultPasswordCost } from '../../../src/modules/accounts/passwords/password-cost.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
/** Publishable key of the requests. Unlike platforms, callers with a publishable key must not learn whether an account has been claimed. */
let key: string;

/**
 * Starts a separate app for one test. Otherwise, all tests would share one limit for wrong passwords. Sign-ins have no minimum duration,
 * because it would hide the differences in time that the tests compare.
 */
async function start(minDuration: number): Promise<void> {
  app = await startApp({
    PASSWORD_HASH_MEMORY: String(defaultPasswordCost.memory),
    PASSWORD_HASH_PASSES: String(defaultPasswordCost.passes),
    ACCOUNT_MIN_DURATION: String(minDuration),
  });
  onTestFinished(() => app.close());
  ({ key } = await newKey(app));
}

/** Tries to sign in with a wrong password. */
async function login(email: string): Promise<void> {
  const query = 'mutation ($input: LoginInput!) { login(input: $input) { token } }';
  const { errors } = await app.graphql(query, { input: { email, password: 'wrong' } }, { platform: key });
  expect(errors).toEqual(['INVALID_CREDENTIALS: incorrect username or password']);
}

/**
 * Measures each request several times. Returns the shortest duration of each in milliseconds, because other load on the machine affects it
 * least.
 */
async function shortestDurations<Name extends string>(
  names: readonly Name[],
  rounds: number,
  send: (name: Name, round: number) => Promise<unknown>,
): Promise<Record<Name, number>> {
  const shortest = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<Name, number>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const start = performance.now();
      await send(name, round);
      shortest[name] = Math.min(shortest[name], performance.now() - start);
    }
  }
  return shortest;
}

/** Nine rounds for each of two addresses. The tenth wrong password would lock an address. */
const rounds = 18;
const domainOf = (round: number) => (round < rounds / 2 ? 'one.example' : 'two.example');

test('login takes as long for an unknown address as for a wrong password', async () => {
  await start(0);
  for (const domain of ['one.example', 'two.example']) {
    const { id } = await app.person({ email: `registered@${domain}` });
    const hash = await passwordHash('correct horse', defaultPasswordCost);
    await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, hash]);
  }
  const shortest = await shortestDurations(['registered', 'unknown'], rounds, (name, round) =>
    login(`${name}@${domainOf(round)}`),
  );
  // Hashing takes most of the time. Without hashing, the response would take a fifth as long.
  expect(shortest.unknown / shortest.registered).toBeGreaterThan(0.4);
});

test('login with a wrong password takes as long for an unknown address as for one with pending registrations', async () => {
  await start(0);
  for (const domain of ['one.example', 'two.example']) {
    const email = `pending@${domain}`;
    await app.graphql('mutation ($email: String!) { upsertUser(input: { email: $email }) { id } }', { email });
    for (const password of ['the first one', 'the second one', 'the third one'])
      await app.graphql('mutation ($input: RegisterInput!) { register(input: $input) { isMailSent } }', {
        input: { email, password, firstName: 'Ana', lastName: 'Lopez' },
      });
  }
  const shortest = await shortestDurations(['pending', 'unknown'], rounds, (name, round) => login(`${name}@${domainOf(round)}`));
  // The ratio would be a third if one case computed three hashes and the other case computed one hash.
  expect(shortest.unknown / shortest.pending).toBeGreaterThan(0.5);
});

test('a password reset takes as long for an unknown address as for a registered one', async () => {
  await start(250);
  await app.person({ email: 'reset-registered@example.com' });
  const shortest = await shortestDurations(['registered', 'unknown'], 3, (name) =>
    app.graphql('mutation ($email: String!) { requestPasswordReset(email: $email) { channel } }', {
      email: `reset-${name}@example.com`,
    }),
  );
  expect(shortest.unknown / shortest.registered).toBeGreaterThan(0.8);
});
