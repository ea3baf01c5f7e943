import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordNextEvent } from '../../src/demo/tournaments/match.js';
import { liveExamples } from '../../src/graphql/examples/index.js';
import { Session } from '../../src/kernel/session.js';
import { newBrowserPage } from '../pages/browser-page.js';
import { missingBrowser } from '../support/clients/browser.js';
import { subscribe } from '../support/clients/event-stream.js';
import { pageOf } from '../support/fixtures/documentation.js';
import { requires } from '../support/prerequisites.js';
import type { TestApp } from '../support/servers/app.js';
import { startSeason } from '../support/servers/season.js';

let app: TestApp;
beforeAll(async () => {
  app = await startSeason();
}, 120_000);
afterAll(() => app.close());

/** Returns the number of prematches and pregames, and the position of the change log. */
const matchState = () =>
  app.sql.row<{ prematches: number; pregames: number; position: number }>(
    `select (select count(*)::int from prematch) as prematches, (select count(*)::int from pregame) as pregames,
            (select last_value::int from change_position) as position`,
  );

const events = 'kind id prematch { matchId } pregame { gameNumber }';
const watch = (tournamentId: string) =>
  subscribe(app, app.platform, `subscription { matches(tournamentId: "${tournamentId}") { ${events} } }`);

test('nothing is written while nobody subscribes to the match', async () => {
  const before = await matchState();
  const otherTournament = await watch('another');
  const changes = await subscribe(app, app.platform, 'subscription { changes { id } }');
  await sleep(2_000);
  expect({
    state: await matchState(),
    eventsOfOtherTournament: otherTournament.events,
    changes: changes.events,
  }).toEqual({ state: before, eventsOfOtherTournament: [], changes: [] });
  otherTournament.close();
  changes.close();
});

/** Returns the code blocks in a page that are written in a language. */
const blocksOf = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);
/** Returns the request body of a curl command. */
const bodyIn = (command = '') => /-d '(.*)'/s.exec(command)?.[1]?.replaceAll('\n', '') ?? '';

describe('docs/live.md', () => {
  const [, section = ''] = /## Subscribe to changes\n(.*?)\n## /s.exec(pageOf('docs/live.md')) ?? [];
  const [queryCommand, subscriptionCommand] = blocksOf(section, 'sh');
  const withoutCursors = (text: string) => text.replaceAll(/"(liveCursor|cursor)":"[^"]+"/g, '"$1":"…"').trim();

  test('shows the response to its query', async () => {
    const response = await fetch(`${app.origin}/graphql`, {
      method: 'POST',
      headers: { 'PB-API-TOKEN': app.platform.platform, 'content-type': 'application/json' },
      body: bodyIn(queryCommand),
    });
    expect(withoutCursors(await response.text())).toBe(withoutCursors(blocksOf(section, 'json')[0] ?? ''));
  });

  test('shows an event of its subscription', async () => {
    const documented = /```\n(event: next\n.*?)```/s.exec(section)?.[1] ?? '';
    const stream = await subscribe(app, app.platform, JSON.parse(bodyIn(subscriptionCommand)).query);
    const [first] = await stream.until(1);
    stream.close();
    expect(withoutCursors(`event: next\ndata: ${JSON.stringify(first)}`)).toBe(withoutCursors(documented));
  });
});

test('the subscription of the README receives an event', async () => {
  const command = blocksOf(pageOf('README.md'), 'sh').find((block) => block.startsWith('curl -sN'));
  const stream = await subscribe(app, app.platform, JSON.parse(bodyIn(command)).query);
  const [first] = await stream.until(1);
  stream.close();
  expect(first).toEqual({ data: { matches: { kind: 'CHANGED', changedFields: expect.any(Array), pregame: null } } });
});

test('a match runs from its setup to its third game, and then restarts in the same rows', async () => {
  const before = await matchState();
  const stream = await subscribe(app, app.platform, `subscription { changes(records: ["Pregame"]) { id } }`);
  for (let step = 0; step < 18; step += 1) expect(await recordNextEvent(new Session(app.resources.pools, 'write'), 0)).toBe(true);
  const events = await stream.until(6);
  stream.close();
  expect(events.map(({ data }) => data?.changes?.id)).toEqual([1, 2, 3, 1, 2, 3].map((number) => `demo-match-game-${number}`));
  expect(await matchState()).toEqual({ ...before, position: (before?.position ?? 0) + 18 });
});

test('a match does not advance again before its interval has elapsed', async () => {
  const play = (pace: number) => recordNextEvent(new Session(app.resources.pools, 'write'), pace);
  await play(0);
  expect({ withinPace: await play(60_000), afterPace: await play(0) }).toEqual({ withinPace: false, afterPace: true });
});

test('a match advances as long as it has a subscriber', async () => {
  const first = await watch('demo-tournament');
  const second = await watch('demo-tournament');
  await first.until(1);
  first.close();
  const events = await second.until(3);
  expect(events.map(({ data }) => data?.matches?.kind)).toEqual(events.map(() => 'CHANGED'));
  second.close();
  await sleep(1_000);
  const before = await matchState();
  await sleep(2_500);
  expect(await matchState()).toEqual(before);
});

test.for(liveExamples)(
  'GraphiQL shows events of the example: $title',
  { timeout: 60_000, ...requires(missingBrowser) },
  async ({ title, query }) => {
    const { page, consoleErrors, foreignRequests } = await newBrowserPage(app.origin);
    const [, name = ''] = /^subscription (\w+)/m.exec(query) ?? [];
    await page.goto(`${app.origin}/graphql?example=${name}`);
    const executeButton = page.getByRole('button', { name: /execute query/i });
    const response = async () => ((await page.locator('.graphiql-response').textContent()) ?? '').replaceAll(/\s/g, '');
    const responseWithRetry = async () => {
      // Right after a tab opens, GraphiQL briefly uses the operation name of the previous tab.
      if ((await response()).includes('Cannotinferoperation')) await executeButton.click();
      return response();
    };
    await executeButton.click();
    await expect.poll(responseWithRetry, { timeout: 20_000 }).toMatch(/"kind":"CHANGED"/);
    const first = await response();
    // In GraphiQL, the next event replaces the previous one.
    await expect.poll(response, { timeout: 20_000 }).not.toBe(first);
    await page.getByRole('button', { name: /stop/i }).click();
    expect({ title, consoleErrors, foreignRequests }).toEqual({ title, consoleErrors: [], foreignRequests: [] });
  },
);
