import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { passwordHash } from '../../support/fixtures/passwords.js';
import type { Person, TestApp } from '../../support/servers/app.js';
import { startSeason } from '../../support/servers/season.js';
import { buildService } from '../../support/servers/service-process.js';
import { accessibilityViolations, type BrowserPage, colorRules, newBrowserPage, overlapsOf } from '../browser-page.js';

const password = 'correct horse';

/** Starts a service with the demo season and the built files of the console. */
export async function startConsole(environment: Record<string, string> = {}): Promise<TestApp> {
  await buildService();
  return startSeason(environment);
}

/** Returns the documents of the console that the service trusts. */
export function trustedDocuments(): ReadonlySet<string> {
  const json = gunzipSync(readFileSync('dist/console/documents.json')).toString();
  return new Set(Object.values(JSON.parse(json)));
}

/** User who can sign in to the console. */
export interface ConsoleUser extends Person {
  readonly email: string;
}

let users = 0;

/** Creates a user who can sign in to the console. */
export async function consoleUser(app: TestApp, values: Parameters<TestApp['person']>[0] = {}): Promise<ConsoleUser> {
  users += 1;
  const email = values.email ?? `console-${users}@example.com`;
  const person = await app.person({ ...values, email });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [person.id, await passwordHash(password)]);
  return { ...person, email };
}

/** Creates a platform in the graph. Returns its ID and token. */
export async function newPlatform(app: TestApp, { user }: Person, title: string): Promise<{ id: string; token: string }> {
  const { createPlatform: created } = await app.graphql(
    'mutation ($title: String!) { createPlatform(input: { title: $title }) { token platform { id } } }',
    { title },
    { user },
  );
  return { id: created.platform.id, token: created.token };
}

/** Fills in the sign-in form that is open on a page. */
export async function signIn(
  page: Page | Locator,
  { email }: Pick<ConsoleUser, 'email'>,
  typedPassword = password,
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(typedPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

interface ConsoleOptions {
  readonly typedPassword?: string;
  /** Whether `advanceTime` can advance the page's clock. Time passes as usual until its first call. Performance entries are empty. */
  readonly hasFakeClock?: boolean;
}

/**
 * Opens a path of the console in a new browser context and signs a user in. Documents that the service would not trust count as console
 * errors.
 */
export async function openConsole(
  app: TestApp,
  user: Pick<ConsoleUser, 'email'>,
  path = '',
  { typedPassword = password, hasFakeClock = false }: ConsoleOptions = {},
): Promise<BrowserPage> {
  const browserPage = await newBrowserPage(app.origin);
  const { page, consoleErrors } = browserPage;
  if (hasFakeClock) await page.clock.install();
  const trusted = trustedDocuments();
  page.on('request', (request) => {
    if (!request.url().endsWith('/graphql')) return;
    const { query } = request.postDataJSON();
    if (!trusted.has(query)) consoleErrors.push(`not trusted: ${query}`);
  });
  // The pictures of the demo season are on a host that does not exist.
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18" fill="#7a7a2e"/></svg>';
  await page.route('https://courtside.test/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }));
  await page.goto(`${app.origin}/console${path}`);
  await signIn(page, user, typedPassword);
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
  return browserPage;
}

/** Advances the fake clock of a page. Timers that are due by then run immediately. */
export const advanceTime = (page: Page, seconds: number): Promise<void> => page.clock.runFor(seconds * 1000);

/**
 * Waits for an element. Until it is visible, advances the fake clock of the page one second at a time, by at most `seconds`. Use it for a delay
 * that starts only when a response or an event arrives.
 */
export async function advanceTimeUntilVisible(element: Locator, seconds: number): Promise<void> {
  let remaining = seconds;
  const isVisible = async () => {
    if (remaining > 0) await advanceTime(element.page(), 1);
    remaining -= 1;
    return element.first().isVisible();
  };
  await expect.poll(isVisible, { timeout: 20_000 }).toBe(true);
}

/** Number of times that the SDK sends a request. */
const attempts = 4;

/**
 * Returns a function that waits until the last retry of a request whose body contains `text` has failed, and then restores the connection. The
 * page needs a fake clock.
 */
function restoreAfterRetries(page: Page, text: string): () => Promise<void> {
  let failures = 0;
  page.on('requestfailed', (request) => {
    if (request.postData()?.includes(text)) failures += 1;
  });
  return async () => {
    const failuresAfterSecond = async () => {
      await advanceTime(page, 1);
      return failures;
    };
    await expect.poll(failuresAfterSecond, { timeout: 20_000 }).toBeGreaterThanOrEqual(attempts);
    await page.context().setOffline(false);
  };
}

/** Interrupts the connection. Returns a function that restores it after the last retry of a request that contains `text` has failed. */
export async function loseConnection(page: Page, text: string): Promise<() => Promise<void>> {
  const restore = restoreAfterRetries(page, text);
  await page.context().setOffline(true);
  return restore;
}

/**
 * Lets the service execute the next request that contains `text`, but interrupts the connection before the response arrives. Returns a
 * function that restores the connection after the last retry of the SDK has failed.
 */
export async function loseResponse(page: Page, text: string): Promise<() => Promise<void>> {
  const isMatch = (request: Request) => request.postData()?.includes(text) ?? false;
  const restore = restoreAfterRetries(page, text);
  await page.route('**/graphql', async (route) => {
    if (!isMatch(route.request())) return route.fallback();
    await route.fetch();
    await page.context().setOffline(true);
    await route.abort();
    await page.unroute('**/graphql');
  });
  return restore;
}

/** Viewport widths: a desktop, the same desktop at 200% zoom, and a phone. */
const widths = [1280, 640, 390];

/**
 * Requires that the page in its current state has no accessibility violations and no overlaps. Checks light and dark colors, a desktop,
 * 200% zoom and a phone.
 */
export async function expectAccessible({ page }: Pick<BrowserPage, 'page'>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      const rules = colorScheme === 'dark' ? colorRules : undefined;
      const defects = { violations: await accessibilityViolations(page, rules), overlaps: await overlapsOf(page) };
      expect({ colorScheme, width, ...defects }).toEqual({ colorScheme, width, violations: [], overlaps: [] });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 844 });
}

/**
 * Takes the screenshot `docs/console-<name>.png` of a page. With SCREENSHOTS=true, it replaces the file. Otherwise, it requires that
 * docs/console.md shows a screenshot of the same size. The page must also have the navigation and headings that were stored in
 * `screenshots/<name>.txt` with the screenshot. The pixels are not compared, because pages contain times.
 */
export async function documentScreenshot(page: Page, name: string): Promise<void> {
  const file = `console-${name}.png`;
  const textFile = `test/pages/console/screenshots/${name}.txt`;
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const titles = await page.locator('nav a, main :is(h1, h2, h3)').allInnerTexts();
  const texts = titles.map((title) => `${title.trim()}\n`).join('');
  if (process.env.SCREENSHOTS === 'true') {
    writeFileSync(`docs/${file}`, picture);
    writeFileSync(textFile, texts);
  }
  // A PNG file starts with a signature and the chunk that contains its size.
  const sizeOf = (bytes: Buffer) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) });
  expect({
    isShown: readFileSync('docs/console.md', 'utf8').includes(`](${file})`),
    size: sizeOf(readFileSync(`docs/${file}`)),
    texts: readFileSync(textFile, 'utf8'),
  }).toEqual({ isShown: true, size: sizeOf(picture), texts });
}
