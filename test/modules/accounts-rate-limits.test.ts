import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkOf } from '../../src/modules/accounts/limits.js';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { startApp, type TestApp } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { lastLink, lastValue } from '../support/mailbox.js';
import { type Process, secondProcess } from '../support/second-process.js';

let app: TestApp;
/** Without trusted proxies, on the same database. */
let open: Process;
let key: string;
const limits = { RATE_LIMITS: 'account.passwords=3/15m,address=1000/1h,address.contact=2/1h,key.attempts=90/1d' };
beforeAll(async () => {
  app = await startApp({ ...limits, TRUST_PROXY: '1' });
  open = await secondProcess(app, undefined, undefined, limits);
  ({ key } = await newKey(app));
});
afterAll(async () => {
  await open.close();
  await app.close();
});

interface Way {
  from?: string;
  by?: string;
  at?: string;
  headers?: Record<string, string>;
}

/** A mutation by an app with a key: what came of it, and what its answer tells of limits. */
async function send(query: string, variables: object, { from = '', by = key, at = app.origin, headers = {} }: Way = {}) {
  const response = await fetch(`${at}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PB-API-TOKEN': by, 'X-Forwarded-For': from, ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  const told = ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => response.headers.get(name));
  return { status: response.status, came: errors ? errors[0].extensions.code : Object.keys(data)[0], told };
}
const password = 'correct horse';
const login = (email: string, given: string, way: Way) =>
  send('mutation ($input: LoginInput!) { login(input: $input) { token } }', { input: { email, password: given } }, way);
const contact = (way: Way) => send('mutation { contact(input: { details: "Hello" }) { mailSent } }', {}, way);
const tries = async (email: string, given: string, ways: Way[]) => {
  const answers = [];
  for (const way of ways) answers.push((await login(email, given, way)).came);
  return answers;
};
const wrong = 'INVALID_CREDENTIALS';

/** A member who has signed in from these addresses. */
async function member(email: string, addresses: string[]): Promise<string> {
  const { id } = await app.person({ email });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await hashPassword(password)]);
  await tries(
    email,
    password,
    addresses.map((from) => ({ from })),
  );
  return id;
}
const [home, elsewhere, third] = [{ from: '198.51.100.1' }, { from: '198.51.100.2' }, { from: '198.51.100.3' }] as const;
const lock = (email: string) => tries(email, 'wrong', [elsewhere, elsewhere, elsewhere]);

describe('the lock of an account', () => {
  test('keeps its owner out where nobody knows them, and not where they have signed in before', async () => {
    await member('ana@example.com', [home.from]);
    const answers = [
      await lock('ana@example.com'),
      await tries('ana@example.com', password, [elsewhere, third, home, home]),
      // Whoever guesses from there has as many tries, and no more; the lock elsewhere stays.
      await tries('ana@example.com', 'wrong', [home, home, home, home]),
      await tries('ana@example.com', password, [home, elsewhere]),
    ];
    expect(answers).toEqual([
      [wrong, wrong, wrong],
      ['RATE_LIMITED', 'RATE_LIMITED', 'login', 'login'],
      [wrong, wrong, wrong, 'RATE_LIMITED'],
      ['RATE_LIMITED', 'RATE_LIMITED'],
    ]);
  });

  test('knows the device of a user by what a platform says, and by the connection of a page', async () => {
    await member('bo@example.com', []);
    const byPlatform = (ipAddress: string) =>
      app.rest(
        'POST',
        '/v1/sso/login',
        app.platform,
        { payload: { email: 'bo@example.com', password } },
        { IpAddress: ipAddress },
      );
    const first = (await byPlatform(home.from)).status;
    await lock('bo@example.com');
    expect([
      first,
      (await byPlatform(third.from)).status,
      (await byPlatform(home.from)).status,
      await tries('bo@example.com', password, [home]),
    ]).toEqual([200, 429, 200, ['login']]);
  });

  test('holds for places of long ago, for all but the last ten, and for all of them after a new password', async () => {
    const many = Array.from({ length: 11 }, (_, n) => `203.0.113.${n}`);
    const [old, moved, changed] = ['old@example.com', 'moved@example.com', 'changed@example.com'];
    const id = await member(old, [home.from]);
    await app.sql.rows(`update sign_in_place set seen_at = seen_at - interval '90 days' where user_id = $1`, [id]);
    const mover = await member(moved, many);
    await member(changed, [home.from]);
    await send('mutation ($email: String!) { requestPasswordReset(email: $email) { channel } }', { email: changed }, third);
    const value = await lastValue(app, changed);
    await send('mutation ($value: String!) { resetPassword(value: $value, password: "correct horse") { id } }', { value });
    for (const email of [old, moved, changed]) await lock(email);
    const [kept] = await app.sql.rows('select count(*)::int as n from sign_in_place where user_id = $1', [mover]);
    const first = { from: '203.0.113.0' };
    const last = { from: '203.0.113.10' };
    expect([
      await tries(old, password, [home]),
      await tries(moved, password, [first, last]),
      await tries(changed, password, [home]),
      kept,
    ]).toEqual([['RATE_LIMITED'], ['RATE_LIMITED', 'login'], ['RATE_LIMITED'], { n: 10 }]);
  });
});

describe('answers', () => {
  test('tell what is left of each limit that their request has taken', async () => {
    await member('cy@example.com', []);
    const policies = '"key.attempts";q=90;w=86400, "address.passwords";q=1000;w=3600, "account.passwords";q=3;w=900';
    const own = (await newKey(app)).key;
    const from = '198.51.100.9';
    const once = await login('cy@example.com', 'wrong', { from, by: own });
    const right = await login('cy@example.com', password, { from, by: own });
    const unlimited = await send('mutation { resetPassword(value: "none", password: "a new password") { id } }', {}, { by: own });
    expect([once, right, unlimited.told]).toEqual([
      {
        status: 200,
        came: wrong,
        told: [policies, '"key.attempts";r=89;t=86400, "address.passwords";r=999;t=3600, "account.passwords";r=2;t=900', null],
      },
      {
        status: 200,
        came: 'login',
        told: [
          policies,
          expect.stringMatching(/^"key.attempts";r=89;t=\d+, "address.passwords";r=999;t=\d+, "account.passwords";r=3$/),
          null,
        ],
      },
      [null, null, null],
    ]);
  });

  test('tell when to come back where nothing is left, and are a 429 in /v1', async () => {
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await login('nobody@example.com', 'wrong', third));
    const payload = { email: 'nobody@example.com', password: 'wrong' };
    const legacy = await app.rest('POST', '/v1/sso/login', app.platform, { payload });
    const told = ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => legacy.headers.get(name));
    expect([answers.map(({ status }) => status), answers[3]?.told, legacy.status, told]).toEqual([
      [200, 200, 200, 200],
      [
        expect.stringContaining('"account.passwords";q=3;w=900'),
        expect.stringMatching(/"account.passwords";r=0;t=\d+$/),
        expect.stringMatching(/^\d+$/),
      ],
      429,
      ['"account.passwords";q=3;w=900', expect.stringMatching(/^"account.passwords";r=0;t=\d+$/), expect.stringMatching(/^\d+$/)],
    ]);
  });
});

test('all that one key does is limited, from wherever', async () => {
  const by = (await newKey(app)).key;
  const answers = await Promise.all(Array.from({ length: 91 }, (_, n) => contact({ by, from: `192.0.2.${n}` })));
  expect([answers.filter(({ came }) => came === 'RATE_LIMITED').length, (await contact({ from: '192.0.2.1' })).came]).toEqual([
    1,
    'contact',
  ]);
});

describe('without TRUST_PROXY', () => {
  const claims = (n: number) => ({
    'X-Forwarded-For': `192.0.2.${100 + n}`,
    Forwarded: `for=192.0.2.${100 + n}`,
    'X-Real-IP': `192.0.2.${100 + n}`,
    'True-Client-IP': `192.0.2.${100 + n}`,
  });

  test('no header changes the address that is counted, and with it only X-Forwarded-For does', async () => {
    const came = async (at: string, headers: (n: number) => Record<string, string>) => {
      const by = (await newKey(app)).key;
      const answers = [];
      for (let n = 0; n < 3; n++) answers.push((await contact({ at, by, headers: headers(n) })).came);
      return answers;
    };
    const fixed = (n: number) => ({ ...claims(n), 'X-Forwarded-For': '192.0.2.200' });
    const far = (n: number) => ({ 'X-Forwarded-For': `192.0.2.${n}, 192.0.2.201` });
    const limited = ['contact', 'contact', 'RATE_LIMITED'];
    expect([
      await came(open.origin, claims),
      await came(app.origin, claims),
      await came(app.origin, fixed),
      await came(app.origin, far),
    ]).toEqual([limited, ['contact', 'contact', 'contact'], limited, limited]);
  });

  test('links do not follow the headers of a request, and with it those of the proxy', async () => {
    const linked = async (email: string, at: string, headers: Record<string, string>) => {
      await app.person({ email });
      await send('mutation ($email: String!) { requestPasswordReset(email: $email) { channel } }', { email }, { at, headers });
      return (await lastLink(app, email)).replace(/[\w-]{43}$/, '…');
    };
    const forwarded = {
      'X-Forwarded-Host': 'evil.example, play.example',
      'X-Forwarded-Proto': 'https',
      Forwarded: 'host=evil.example',
    };
    expect([
      await linked('one@example.com', open.origin, { ...forwarded, Host: 'evil.example' }),
      await linked('two@example.com', app.origin, forwarded),
      await linked('three@example.com', app.origin, { 'X-Forwarded-Host': 'evil.example/x?' }),
      await linked('four@example.com', app.origin, {}),
    ]).toEqual([
      'http://localhost:4000/reset/…',
      'https://play.example/reset/…',
      'http://localhost:4000/reset/…',
      'http://localhost:4000/reset/…',
    ]);
  });
});

test('one subscriber of IPv6 has one network, and IPv4 is the same in both forms', () => {
  expect(['2001:db8:1:2:3::4', '2001:0db8:1:2:ffff::', '::ffff:192.0.2.1', '192.0.2.1', ''].map(networkOf)).toEqual([
    '2001:db8:1:2::/64',
    '2001:db8:1:2::/64',
    '192.0.2.1',
    '192.0.2.1',
    '',
  ]);
});
