import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { lastValue } from '../support/mailbox.js';
import { secondProcess } from '../support/second-process.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A page as a person sees it: its status, heading, what it says, and whether there is a button to press. */
async function open(path: string, form?: Record<string, string>) {
  const response = await fetch(app.origin + path, form ? { method: 'POST', body: new URLSearchParams(form) } : {});
  const body = await response.text();
  const part = (name: string) => new RegExp(`<${name}(?: [^>]*)?>([^<]*)<`).exec(body)?.[1] ?? null;
  return { status: response.status, heading: part('h1'), line: part('p'), button: part('button') };
}

const requestReset = (email: string) =>
  app.graphql('mutation ($email: String!) { requestPasswordReset(email: $email) { channel } }', { email });
const login = async (email: string, password: string) =>
  Object.keys(
    await app.graphql('mutation ($input: LoginInput!) { login(input: $input) { token } }', { input: { email, password } }),
  );

test('the link of a registration works for a person without any frontend, and opening it changes nothing yet', async () => {
  const input = { email: 'ana@example.com', password: 'correct horse' };
  await app.graphql('mutation ($input: RegisterInput!) { register(input: $input) { mailSent } }', { input });
  const path = `/verify/${await lastValue(app, 'ana@example.com')}`;
  const pages = [await open(path), await open(path), await open(path, {}), await open(path)];
  const form = { status: 200, heading: 'Confirm your address', line: null, button: 'Confirm my address' };
  expect([pages, await login('ana@example.com', 'correct horse')]).toEqual([
    [
      form,
      form,
      { status: 200, heading: 'Welcome', line: 'Your address is confirmed. You can sign in now.', button: null },
      { status: 400, heading: 'Confirm your address', line: 'This link is not valid, or was used already.', button: null },
    ],
    ['login'],
  ]);
});

test('the link of a forgotten password lets one choose another', async () => {
  await app.person({ email: 'bo@example.com' });
  await requestReset('bo@example.com');
  const path = `/reset/${await lastValue(app, 'bo@example.com')}`;
  const pages = [
    await open(path),
    await open(path, { password: 'short' }),
    await open(path, { password: 'a new password' }),
    await open(path),
  ];
  expect([pages, await login('bo@example.com', 'a new password')]).toEqual([
    [
      { status: 200, heading: 'Choose a new password', line: null, button: 'Save' },
      { status: 400, heading: 'Choose a new password', line: 'Please choose a password of 8 to 200 characters.', button: 'Save' },
      { status: 200, heading: 'Done', line: 'Your new password is in place. Please sign in with it.', button: null },
      { status: 400, heading: 'Choose a new password', line: 'This link is not valid, or was used already.', button: null },
    ],
    ['login'],
  ]);
});

test('an expired link says so', async () => {
  await app.person({ email: 'cy@example.com' });
  await requestReset('cy@example.com');
  await app.sql.rows(`update one_time_value set expires_at = now()`);
  expect(await open(`/reset/${await lastValue(app, 'cy@example.com')}`)).toMatchObject({
    status: 410,
    line: 'This link has expired. Please ask for a new one.',
  });
});

test.each(['/verify/x', '/verify/%00', '/verify/%E0%A4', '/reset/123456'])('%s is answered with 400', async (path) => {
  expect((await open(path)).status).toBe(400);
});

test('a form that is too large is answered with 400', async () => {
  expect((await open('/reset/x', { password: 'x'.repeat(5000) })).status).toBe(400);
});

test('pages are neither kept, framed nor named to others', async () => {
  const { headers } = await fetch(`${app.origin}/reset/x`);
  const names = ['cache-control', 'referrer-policy', 'access-control-allow-origin', 'content-security-policy'];
  expect(names.map((name) => headers.get(name))).toEqual([
    'no-store',
    'no-referrer',
    null,
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; style-src 'self'; img-src 'self'",
  ]);
});

test.each(['/', '/reset/x', '/dev/mail', '/no-such-page', '/graphql'])('%s tells browsers the usual', async (path) => {
  const { headers } = await fetch(app.origin + path, { headers: { accept: 'text/html' } });
  const policy = headers.get('content-security-policy')?.split('; ') ?? [];
  const names = ['x-content-type-options', 'x-frame-options', 'referrer-policy', 'cross-origin-opener-policy', 'x-powered-by'];
  expect([
    names.map((name) => headers.get(name)),
    headers.get('permissions-policy')?.includes('camera=()'),
    policy.filter((part) => /^(default-src|frame-ancestors|script-src.*unsafe)/.test(part)),
    headers.get('strict-transport-security'),
  ]).toEqual([
    ['nosniff', 'DENY', 'no-referrer', 'same-origin', null],
    true,
    ["default-src 'none'", "frame-ancestors 'none'"],
    null,
  ]);
});

test('HTTPS only is told where the service is behind it', async () => {
  const https = { 'X-Forwarded-Proto': 'https' };
  const told = async (environment: Record<string, string>, headers: Record<string, string> = {}) => {
    const other = await secondProcess(app, undefined, undefined, environment);
    const response = await fetch(`${other.origin}/reset/x`, { headers });
    await other.close();
    return response.headers.get('strict-transport-security');
  };
  expect([
    await told({}, https),
    await told({ TRUST_PROXY: '1' }),
    await told({ TRUST_PROXY: '1' }, https),
    await told({ PUBLIC_URL: 'https://play.example' }),
  ]).toEqual([null, null, 'max-age=31536000', 'max-age=31536000']);
});
