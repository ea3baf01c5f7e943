import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkOf } from '../../../src/kernel/network.js';
import { lastLink, lastValue } from '../../support/clients/mailbox.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Process, secondProcess } from '../../support/servers/second-app.js';

let app: TestApp;
/** A second process on the same database that trusts no proxies. */
let appWithoutProxy: Process;
let key: string;
const limits = { RATE_LIMITS: 'account.passwords=3/15m,address=1000/1h,address.contact=2/1h,key.attempts=90/1d' };
beforeAll(async () => {
  app = await startApp({ ...limits, TRUST_PROXY: '1' });
  appWithoutProxy = await secondProcess(app, undefined, undefined, limits);
  ({ key } = await newKey(app));
});
afterAll(async () => {
  await appWithoutProxy.close();
  await app.close();
});

interface Sender {
  /** The client address that the proxy reports in `X-Forwarded-For`. */
  address?: string;
  /** The publishable key to send. Default: a key shared by all tests. */
  sentKey?: string;
  /** The origin of the process that receives the request. */
  origin?: string;
  headers?: Record<string, string>;
}

const limitsOf = (headers: Headers) => ({
  policy: headers.get('ratelimit-policy'),
  remaining: headers.get('ratelimit'),
  retryAfter: headers.get('retry-after'),
});

/**
 * Sends an operation. Returns the status, the outcome and the rate limit headers. The outcome is the name of the root field or the error
 * code.
 */
async function send(
  query: string,
  variables: object,
  { address = '', sentKey = key, origin = app.origin, headers = {} }: Sender = {},
) {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PB-API-TOKEN': sentKey, 'X-Forwarded-For': address, ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  const outcome: string = errors ? errors[0].extensions.code : Object.keys(data)[0];
  return { status: response.status, outcome, limits: limitsOf(response.headers) };
}
const password = 'correct horse';
const login = (email: string, triedPassword: string, sender: Sender) =>
  send(
    'mutation ($input: LoginInput!) { login(input: $input) { token } }',
    { input: { email, password: triedPassword } },
    sender,
  );
const contact = (sender: Sender) => send('mutation { contact(input: { details: "Hello" }) { isMailSent } }', {}, sender);
/** Sends login attempts one after another and returns their outcomes. */
const logins = async (email: string, triedPassword: string, senders: Sender[]) => {
  const outcomes = [];
  for (const sender of senders) outcomes.push((await login(email, triedPassword, sender)).outcome);
  return outcomes;
};
const wrongPassword = 'INVALID_CREDENTIALS';

/** Creates a user and signs in once from each of the given addresses. Returns the ID of the user. */
async function createMember(email: string, addresses: string[]): Promise<string> {
  const { id } = await app.person({ email });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash(password)]);
  await logins(
    email,
    password,
    addresses.map((address) => ({ address })),
  );
  return id;
}
const home = { address: '198.51.100.1' };
const elsewhere = { address: '198.51.100.2' };
const thirdAddress = { address: '198.51.100.3' };
const lock = (email: string) => logins(email, 'wrong', [elsewhere, elsewhere, elsewhere]);

describe('the lock of an account', () => {
  test('applies to all addresses except those where its owner has signed in before', async () => {
    await createMember('ana@example.com', [home.address]);
    expect({
      wrongPasswords: await lock('ana@example.com'),
      newAddresses: await logins('ana@example.com', password, [elsewhere, thirdAddress]),
      knownAddress: await logins('ana@example.com', password, [home, home]),
      // The known address has its own limit of three attempts. Other addresses stay locked.
      wrongPasswordsAtKnownAddress: await logins('ana@example.com', 'wrong', [home, home, home, home]),
      knownAddressWhenLocked: await logins('ana@example.com', password, [home]),
      newAddressStillLocked: await logins('ana@example.com', password, [elsewhere]),
    }).toEqual({
      wrongPasswords: [wrongPassword, wrongPassword, wrongPassword],
      newAddresses: ['RATE_LIMITED', 'RATE_LIMITED'],
      knownAddress: ['login', 'login'],
      wrongPasswordsAtKnownAddress: [wrongPassword, wrongPassword, wrongPassword, 'RATE_LIMITED'],
      knownAddressWhenLocked: ['RATE_LIMITED'],
      newAddressStillLocked: ['RATE_LIMITED'],
    });
  });

  test('takes the network address of a user from the header that a platform sends, and from the connection of a page', async () => {
    await createMember('bo@example.com', []);
    const statusByPlatform = async (ipAddress: string) => {
      const payload = { email: 'bo@example.com', password };
      const { status } = await app.rest('POST', '/v1/sso/login', app.platform, { payload }, { IpAddress: ipAddress });
      return status;
    };
    const beforeLock = await statusByPlatform(home.address);
    await lock('bo@example.com');
    expect({
      beforeLock,
      newAddress: await statusByPlatform(thirdAddress.address),
      knownAddress: await statusByPlatform(home.address),
      pageAtKnownAddress: await logins('bo@example.com', password, [home]),
    }).toEqual({ beforeLock: 200, newAddress: 200, knownAddress: 200, pageAtKnownAddress: ['login'] });
  });

  test('applies to an address that was last used 90 days ago', async () => {
    const id = await createMember('old@example.com', [home.address]);
    await app.sql.rows(`update sign_in_location set seen_at = seen_at - interval '90 days' where user_id = $1`, [id]);
    await lock('old@example.com');
    expect(await logins('old@example.com', password, [home])).toEqual(['RATE_LIMITED']);
  });

  test('applies to all known addresses except the last ten', async () => {
    const id = await createMember(
      'moved@example.com',
      Array.from({ length: 11 }, (_, n) => `203.0.113.${n}`),
    );
    await lock('moved@example.com');
    const knownAddresses = await app.sql.row('select count(*)::int as count from sign_in_location where user_id = $1', [id]);
    expect({
      first: await logins('moved@example.com', password, [{ address: '203.0.113.0' }]),
      last: await logins('moved@example.com', password, [{ address: '203.0.113.10' }]),
      knownAddresses,
    }).toEqual({ first: ['RATE_LIMITED'], last: ['login'], knownAddresses: { count: 10 } });
  });

  test('applies to all addresses after a new password', async () => {
    const email = 'changed@example.com';
    await createMember(email, [home.address]);
    await send('mutation ($email: String!) { requestPasswordReset(email: $email) { channel } }', { email }, thirdAddress);
    const value = await lastValue(app, email);
    await send('mutation ($value: String!) { resetPassword(value: $value, password: "correct horse") { id } }', { value });
    await lock(email);
    expect(await logins(email, password, [home])).toEqual(['RATE_LIMITED']);
  });
});

describe('the headers of a response', () => {
  test('report the remaining attempts of each limit that the request counts against', async () => {
    await createMember('cy@example.com', []);
    const policy = '"key.attempts";q=90;w=86400, "address.passwords";q=1000;w=3600, "account.passwords";q=3;w=900';
    const ownKey = (await newKey(app)).key;
    const sender = { address: '198.51.100.9', sentKey: ownKey };
    expect({
      wrongPassword: await login('cy@example.com', 'wrong', sender),
      rightPassword: await login('cy@example.com', password, sender),
    }).toEqual({
      wrongPassword: {
        status: 200,
        outcome: wrongPassword,
        limits: {
          policy,
          remaining: '"key.attempts";r=89;t=86400, "address.passwords";r=999;t=3600, "account.passwords";r=2;t=900',
          retryAfter: null,
        },
      },
      rightPassword: {
        status: 200,
        outcome: 'login',
        limits: {
          policy,
          remaining: expect.stringMatching(
            /^"key.attempts";r=89;t=\d+, "address.passwords";r=999;t=\d+, "account.passwords";r=3$/,
          ),
          retryAfter: null,
        },
      },
    });
  });

  test('do not report limits for a mutation without limits', async () => {
    const answer = await send('mutation { resetPassword(value: "none", password: "a new password") { id } }', {});
    expect(answer.limits).toEqual({ policy: null, remaining: null, retryAfter: null });
  });

  test('have Retry-After when a limit is exceeded', async () => {
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await login('nobody@example.com', 'wrong', thirdAddress));
    expect({ statuses: answers.map(({ status }) => status), limits: answers[3]?.limits }).toEqual({
      statuses: [200, 200, 200, 200],
      limits: {
        policy: expect.stringContaining('"account.passwords";q=3;w=900'),
        remaining: expect.stringMatching(/"account.passwords";r=0;t=\d+$/),
        retryAfter: expect.stringMatching(/^\d+$/),
      },
    });
  });

  test('have the status 429 in /v1 when a limit is exceeded', async () => {
    const payload = { email: 'nobody-in-v1@example.com', password: 'wrong' };
    for (let n = 0; n < 3; n++) await app.rest('POST', '/v1/sso/login', app.platform, { payload });
    const { status, headers } = await app.rest('POST', '/v1/sso/login', app.platform, { payload });
    expect({ status, limits: limitsOf(headers) }).toEqual({
      status: 429,
      limits: {
        policy: '"account.passwords";q=3;w=900',
        remaining: expect.stringMatching(/^"account.passwords";r=0;t=\d+$/),
        retryAfter: expect.stringMatching(/^\d+$/),
      },
    });
  });
});

test('contact messages of a platform have a separate limit', async () => {
  const statuses = [];
  for (let n = 0; n < 4; n++)
    statuses.push((await app.rest('POST', '/v1/pub/contactus', app.platform, { payload: { details: 'Hello' } })).status);
  expect(statuses).toEqual([200, 200, 200, 200]);
});

test('the attempts with one key are limited across all addresses', async () => {
  const sentKey = (await newKey(app)).key;
  const answers = await Promise.all(Array.from({ length: 91 }, (_, n) => contact({ sentKey, address: `192.0.2.${n}` })));
  expect({
    limitedCount: answers.filter(({ outcome }) => outcome === 'RATE_LIMITED').length,
    withAnotherKey: (await contact({ address: '192.0.2.1' })).outcome,
  }).toEqual({ limitedCount: 1, withAnotherKey: 'contact' });
});

describe('request headers', () => {
  test('determine the counted address only by the last value of X-Forwarded-For behind a trusted proxy', async () => {
    const changingAddress = (n: number) => ({
      'X-Forwarded-For': `192.0.2.${100 + n}`,
      Forwarded: `for=192.0.2.${100 + n}`,
      'X-Real-IP': `192.0.2.${100 + n}`,
      'True-Client-IP': `192.0.2.${100 + n}`,
    });
    const sameForwardedFor = (n: number) => ({ ...changingAddress(n), 'X-Forwarded-For': '192.0.2.200' });
    const sameLastForwardedFor = (n: number) => ({ 'X-Forwarded-For': `192.0.2.${n}, 192.0.2.201` });
    /** Sends three contact messages with a new key and returns their outcomes. Each address may send two messages. */
    const outcomes = async (origin: string, headers: (n: number) => Record<string, string>) => {
      const sentKey = (await newKey(app)).key;
      const list = [];
      for (let n = 0; n < 3; n++) list.push((await contact({ origin, sentKey, headers: headers(n) })).outcome);
      return list;
    };
    const limited = ['contact', 'contact', 'RATE_LIMITED'];
    expect({
      withoutProxy: await outcomes(appWithoutProxy.origin, changingAddress),
      changingAddress: await outcomes(app.origin, changingAddress),
      sameForwardedFor: await outcomes(app.origin, sameForwardedFor),
      sameLastForwardedFor: await outcomes(app.origin, sameLastForwardedFor),
    }).toEqual({
      withoutProxy: limited,
      changingAddress: ['contact', 'contact', 'contact'],
      sameForwardedFor: limited,
      sameLastForwardedFor: limited,
    });
  });

  test('determine the origin of links only by X-Forwarded-Host behind a trusted proxy', async () => {
    const linkFor = async (email: string, origin: string, headers: Record<string, string>) => {
      await app.person({ email });
      await send(
        'mutation ($email: String!) { requestPasswordReset(email: $email) { channel } }',
        { email },
        { origin, headers },
      );
      return (await lastLink(app, email)).replace(/[\w-]{43}$/, '…');
    };
    const forwarded = {
      'X-Forwarded-Host': 'evil.example, play.example',
      'X-Forwarded-Proto': 'https',
      Forwarded: 'host=evil.example',
    };
    expect({
      withoutProxy: await linkFor('one@example.com', appWithoutProxy.origin, { ...forwarded, Host: 'evil.example' }),
      lastForwardedHost: await linkFor('two@example.com', app.origin, forwarded),
      hostWithPath: await linkFor('three@example.com', app.origin, { 'X-Forwarded-Host': 'evil.example/x?' }),
      noHeaders: await linkFor('four@example.com', app.origin, {}),
    }).toEqual({
      withoutProxy: 'http://localhost:4000/reset/…',
      lastForwardedHost: 'https://play.example/reset/…',
      hostWithPath: 'http://localhost:4000/reset/…',
      noHeaders: 'http://localhost:4000/reset/…',
    });
  });
});

test.each([
  ['2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
  ['2001:0db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['', ''],
])('the address "%s" is counted as "%s"', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
