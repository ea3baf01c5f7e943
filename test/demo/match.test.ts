import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playOn } from '../../src/demo/match.js';
import { liveExamples } from '../../src/gateway/examples/index.js';
import { Session } from '../../src/kernel/session.js';
import { look } from '../pages/looked-at.js';
import { startSeason } from '../pages/season.js';
import type { TestApp } from '../support/app.js';
import { browserOrNone } from '../support/browser.js';
import { subscribe } from '../support/live.js';
import { pageOf } from '../support/pages.js';

let app: TestApp;
let browser: Browser | null;
beforeAll(async () => {
  [app, browser] = await Promise.all([startSeason(), browserOrNone()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await app.close();
});

/** How many rows there are in which matches are recorded, and where the log of changes is. */
const counted = () =>
  app.sql.row<{ prematches: number; pregames: number; position: number }>(
    `select (select count(*)::int from prematch) as prematches, (select count(*)::int from pregame) as pregames,
            (select last_value::int from change_position) as position`,
  );

const events = 'kind id prematch { matchId } pregame { gameNumber }';
const watch = (tournamentId: string) =>
  subscribe(app, app.platform, `subscription { matches(tournamentId: "${tournamentId}") { ${events} } }`);

test('while nobody watches the match, nothing is written', async () => {
  const before = await counted();
  const another = await watch('another');
  const all = await subscribe(app, app.platform, 'subscription { changes { id } }');
  await sleep(2_000);
  expect([await counted(), another.heard, all.heard]).toEqual([before, [], []]);
  another.close();
  all.close();
});

/** The texts of the blocks of a page in a language. */
const blocksOf = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);
/** The body that a command of curl sends. */
const bodyIn = (command = '') => /-d '(.*)'/s.exec(command)?.[1]?.replaceAll('\n', '') ?? '';

test('docs/live.md shows what its requests are answered, but for the places in the log', async () => {
  const [, section = ''] = /## Subscriptions\n(.*?)\n## /s.exec(pageOf('docs/live.md')) ?? [];
  const [read, follow] = blocksOf(section, 'sh');
  const headers = { 'PB-API-TOKEN': app.platform.platform, 'content-type': 'application/json' };
  const answered = await fetch(`${app.origin}/graphql`, { method: 'POST', headers, body: bodyIn(read) });
  const without = (text: string) => text.replaceAll(/"(liveCursor|cursor)":"\w+"/g, '"$1":"…"').trim();
  expect(without(await answered.text())).toBe(without(blocksOf(section, 'json')[0] ?? ''));

  const shown = /```\n(event: next\n.*?)```/s.exec(section)?.[1] ?? '';
  const { query } = JSON.parse(bodyIn(follow));
  const stream = await subscribe(app, app.platform, query);
  const [first] = await stream.until(1);
  stream.close();
  expect(without(`event: next\ndata: ${JSON.stringify(first)}`)).toBe(without(shown));
});

test('the subscription of the README is told of something', async () => {
  const command = blocksOf(pageOf('README.md'), 'sh').find((block) => block.startsWith('curl -sN'));
  const stream = await subscribe(app, app.platform, JSON.parse(bodyIn(command)).query);
  const [first] = await stream.until(1);
  stream.close();
  expect(first).toEqual({ data: { matches: { kind: 'CHANGED', changedFields: expect.any(Array), pregame: null } } });
});

test('a match goes on, from its setup to the third game, and begins anew in the same rows', async () => {
  const before = await counted();
  const stream = await subscribe(app, app.platform, `subscription { changes(records: ["Pregame"]) { id } }`);
  for (let step = 0; step < 18; step += 1) expect(await playOn(new Session(app.resources.pools, 'write'), 0)).toBe(true);
  const heard = await stream.until(6);
  stream.close();
  expect(heard.map(({ data }) => data?.changes?.id)).toEqual([1, 2, 3, 1, 2, 3].map((number) => `demo-match-game-${number}`));
  expect(await counted()).toEqual({ ...before, position: (before?.position ?? 0) + 18 });
});

test('who plays it a second time within the pace leaves it as it is', async () => {
  const session = () => new Session(app.resources.pools, 'write');
  await playOn(session(), 0);
  expect([await playOn(session(), 60_000), await playOn(session(), 0)]).toEqual([false, true]);
});

test('it is played as long as somebody watches, and stops when they leave', async () => {
  const [one, two] = [await watch('demo-tournament'), await watch('demo-tournament')];
  await one.until(1);
  one.close();
  const heard = await two.until(3);
  expect(heard.map(({ data }) => data?.matches?.kind)).toEqual(heard.map(() => 'CHANGED'));
  two.close();
  await sleep(1_000);
  const before = await counted();
  await sleep(2_500);
  expect(await counted()).toEqual(before);
});

test.for(liveExamples)('GraphiQL shows it: $title', { timeout: 60_000 }, async ({ title, query }, { skip }) => {
  if (!browser) return skip('there is no Chromium here, in which GraphiQL could be seen');
  const { page, complaints, strangers } = await look(browser, app.origin);
  await page.goto(`${app.origin}/graphql`);
  const [, name = ''] = /^subscription (\w+)/m.exec(query) ?? [];
  await page.getByRole('button', { name, exact: true }).click({ delay: 50 });
  const execute = page.getByRole('button', { name: /execute query/i });
  const shown = async () => ((await page.locator('.graphiql-response').textContent()) ?? '').replaceAll(/\s/g, '');
  const asked = async () => {
    // Right after another tab is opened GraphiQL has the name of the operation before for a moment.
    if ((await shown()).includes('Cannotinferoperation')) await execute.click();
    return shown();
  };
  await execute.click();
  await expect.poll(asked, { timeout: 20_000 }).toMatch(/"kind":"CHANGED"/);
  const first = await shown();
  // The next event takes the place of the one before.
  await expect.poll(shown, { timeout: 20_000 }).not.toBe(first);
  await page.getByRole('button', { name: /stop/i }).click();
  expect({ title, complaints, strangers }).toEqual({ title, complaints: [], strangers: [] });
  await page.close();
});
