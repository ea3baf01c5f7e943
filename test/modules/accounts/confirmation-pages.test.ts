import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastValue } from '../../support/clients/mailbox.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { secondProcess } from '../../support/servers/second-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Opens a page or submits its form. Returns the status, heading, text and button of the response. */
async function open(path: string, form?: Record<string, string>) {
  const response = await fetch(app.origin + path, form ? { method: 'POST', body: new URLSearchParams(form) } : {});
  const body = await response.text();
  const textOf = (element: string) => new RegExp(`<${element}(?: [^>]*)?>([^<]*)<`).exec(body)?.[1] ?? null;
  return { status: response.status, heading: textOf('h1'), line: textOf('p'), button: textOf('button') };
}

const requestReset = (email: string) =>
  app.graphql('mutation ($email: String!) { requestPasswordReset(email: $email) { channel } }', { email });
/** Tries to sign in. Returns `['login']`, or `['errors']` on failure. */
const login = async (email: string, password: string) =>
  Object.keys(
    await app.graphql('mutation ($input: LoginInput!) { login(input: $input) { token } }', { input: { email, password } }),
  );
const headersOf = ({ headers }: Response, names: string[]) => Object.fromEntries(names.map((name) => [name, headers.get(name)]));

test('a registration is confirmed by the button of its page, not by opening the page', async () => {
  const input = { email: 'ana@example.com', password: 'correct horse' };
  await app.graphql('mutation ($input: RegisterInput!) { register(input: $input) { isMailSent } }', { input });
  const path = `/verify/${await lastValue(app, 'ana@example.com')}`;
  const form = { status: 200, heading: 'Confirm your email address', line: null, button: 'Confirm email address' };
  expect({
    opened: await open(path),
    reopened: await open(path),
    confirmed: await open(path, {}),
    openedAfterwards: await open(path),
    login: await login('ana@example.com', 'correct horse'),
  }).toEqual({
    opened: form,
    reopened: form,
    confirmed: { status: 200, heading: 'Welcome', line: 'Your email address is confirmed. You can now sign in.', button: null },
    openedAfterwards: {
      status: 400,
      heading: 'Confirm your email address',
      line: 'This link is not valid or has already been used.',
      button: null,
    },
    login: ['login'],
  });
});

test('a forgotten password is replaced on the page of its link', async () => {
  await app.person({ email: 'bo@example.com' });
  await requestReset('bo@example.com');
  const path = `/reset/${await lastValue(app, 'bo@example.com')}`;
  const heading = 'Choose a new password';
  expect({
    opened: await open(path),
    tooShort: await open(path, { password: 'short' }),
    saved: await open(path, { password: 'a new password' }),
    openedAfterwards: await open(path),
    login: await login('bo@example.com', 'a new password'),
  }).toEqual({
    opened: { status: 200, heading, line: null, button: 'Save password' },
    tooShort: {
      status: 400,
      heading,
      line: 'Choose a password of 8 to 200 characters that is hard to guess.',
      button: 'Save password',
    },
    saved: { status: 200, heading: 'Password changed', line: 'You can now sign in with your new password.', button: null },
    openedAfterwards: { status: 400, heading, line: 'This link is not valid or has already been used.', button: null },
    login: ['login'],
  });
});

test('an expired link shows that it has expired', async () => {
  await app.person({ email: 'cy@example.com' });
  await requestReset('cy@example.com');
  await app.sql.rows(`update one_time_value set expires_at = now()`);
  expect(await open(`/reset/${await lastValue(app, 'cy@example.com')}`)).toMatchObject({
    status: 410,
    line: 'This link has expired. Request a new one.',
  });
});

test.each(['/verify/x', '/verify/%00', '/verify/%E0%A4', '/reset/123456'])('%s returns 400', async (path) => {
  expect((await open(path)).status).toBe(400);
});

test('a form that is too large returns 400', async () => {
  expect((await open('/reset/x', { password: 'x'.repeat(5000) })).status).toBe(400);
});

test('pages with links forbid caching, framing, referrers and other origins', async () => {
  const names = ['cache-control', 'referrer-policy', 'access-control-allow-origin', 'content-security-policy'];
  expect(headersOf(await fetch(`${app.origin}/reset/x`), names)).toEqual({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'access-control-allow-origin': null,
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; style-src 'self'; img-src 'self'",
  });
});

test.each(['/', '/reset/x', '/dev/mail', '/no-such-page', '/graphql'])('%s sends the security headers', async (path) => {
  const response = await fetch(app.origin + path, { headers: { accept: 'text/html' } });
  const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
  const names = [
    'x-content-type-options',
    'x-frame-options',
    'referrer-policy',
    'cross-origin-opener-policy',
    'x-powered-by',
    'strict-transport-security',
  ];
  expect({
    ...headersOf(response, names),
    forbidsCamera: response.headers.get('permissions-policy')?.includes('camera=()'),
    contentPolicy: policy.filter((part) => /^(default-src|frame-ancestors|script-src.*unsafe)/.test(part)),
  }).toEqual({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'x-powered-by': null,
    'strict-transport-security': null,
    forbidsCamera: true,
    contentPolicy: ["default-src 'none'", "frame-ancestors 'none'"],
  });
});

test('Strict-Transport-Security is sent only where clients reach the service by HTTPS', async () => {
  const https = { 'X-Forwarded-Proto': 'https' };
  const policyWith = async (environment: Record<string, string>, headers: Record<string, string> = {}) => {
    const secondApp = await secondProcess(app, undefined, undefined, environment);
    const response = await fetch(`${secondApp.origin}/reset/x`, { headers });
    await secondApp.close();
    return response.headers.get('strict-transport-security');
  };
  expect({
    untrustedProxy: await policyWith({}, https),
    trustedProxyWithoutHttps: await policyWith({ TRUST_PROXY: '1' }),
    trustedProxyWithHttps: await policyWith({ TRUST_PROXY: '1' }, https),
    httpsPublicUrl: await policyWith({ PUBLIC_URL: 'https://play.example' }),
  }).toEqual({
    untrustedProxy: null,
    trustedProxyWithoutHttps: null,
    trustedProxyWithHttps: 'max-age=31536000',
    httpsPublicUrl: 'max-age=31536000',
  });
});
