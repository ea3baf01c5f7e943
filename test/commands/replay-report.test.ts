import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byRoute, type Compared } from '../../src/commands/replay/findings.js';
import { reportOf } from '../../src/commands/replay/report.js';
import { shownValues } from '../../src/commands/replay/shown-values.js';
import { redaction } from '../../src/commands/traffic/redact.js';
import { differencesOf, type GivenAnswer } from '../../src/comparison/compare-answers.js';
import { startBrowser } from '../support/browser.js';

let browser: Browser | null;
beforeAll(async () => {
  browser = await startBrowser().catch(() => null);
});
afterAll(() => browser?.close());

const answer = (value: unknown, more: Partial<GivenAnswer> = {}): GivenAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
  origin: 'http://old',
  ...more,
});

const compared = (name: string, old: GivenAnswer, now: GivenAnswer, again = old): Compared => ({
  recorded: {
    name,
    writes: false,
    shown: name.replace('{uuid}', '944688ed-a116-4a44-a7c7-c7b611127e41'),
    sent: { method: 'GET', path: '', headers: [], body: null, isRead: true },
    named: [],
    answer: null,
  },
  differences: differencesOf(old, now),
  noise: differencesOf(old, again),
});

const team = { uuid: 'x', seed: 3, note: 'call ana@example.com', at: 1 };
const found = byRoute(
  [
    compared(
      'GET /v1/data/teams/{uuid}',
      answer({ result: team }),
      answer({ result: { ...team, seed: '3' } }),
      answer({ result: { ...team, at: 2 } }),
    ),
    compared(
      'GET /v1/users/{uuid}',
      answer({ result: { email: 'ana@example.com', firstName: 'Ana', city: 'Austin' } }),
      answer({ result: { email: 'ben@example.com', firstName: '<b>Ben</b>', city: null } }),
    ),
    compared(
      'GET /v1/data/news',
      answer({ title: 'by ana@example.com with token abc-def-token-1234 <script>' }),
      answer({ title: 'x'.repeat(400) }),
    ),
    compared('GET /v1/data/leagues', answer({}), answer({}, { status: 500 })),
    compared('GET /v1/data/lookup_formats', answer({}), answer({})),
  ],
  [],
);
const page = reportOf(
  found,
  { requests: [], notWanted: 0, writesLeft: 2, bodiless: 0 },
  {
    old: 'https://old.example',
    new: 'https://new.example',
    file: 'traffic.har',
    at: new Date('2026-08-01T12:00:00Z'),
    shown: shownValues(redaction(), ['abc-def-token-1234']),
  },
);

test('values that are personal or secret are not in the report, and values are text', () => {
  const hidden = ['ana@', 'ben@', 'Ana', 'Ben', 'Austin', 'abc-def', '<script', '<b>'];
  expect([
    hidden.filter((value) => page.includes(value)),
    page.includes('another value of') || page.includes('another type'),
  ]).toEqual([[], true]);
});

test.each(['light', 'dark'] as const)(
  'it is read in a browser, %s, on a phone, by keyboard, with no request',
  async (colorScheme) => {
    if (!browser) return console.log('There is no Chromium: the report is not looked at.');
    const problems: string[] = [];
    const view = await browser.newPage({ colorScheme, viewport: { width: 390, height: 800 } });
    view.on('console', (message) => problems.push(message.text()));
    view.on('request', (request) => problems.push(request.url()));
    await view.setContent(page);
    const { isWide, background, headings } = await view.evaluate(() => ({
      isWide: document.documentElement.scrollWidth > innerWidth,
      background: getComputedStyle(document.body).backgroundColor,
      headings: [...document.querySelectorAll('h1, h2, summary code')].map((each) => each.textContent),
    }));
    expect([problems, isWide, background, headings]).toEqual([
      [],
      false,
      colorScheme === 'dark' ? 'rgb(12, 12, 14)' : 'rgb(255, 255, 255)',
      [
        'Replay of traffic.har',
        'What differs',
        'GET /v1/data/leagues',
        'GET /v1/data/news',
        'GET /v1/data/teams/{uuid}',
        'GET /v1/users/{uuid}',
        'The same',
      ],
    ]);
    await view.keyboard.press('Tab');
    const first = view.locator('details').first();
    const isOpen = () => first.evaluate((each: HTMLDetailsElement) => each.open);
    const before = await isOpen();
    await view.keyboard.press('Enter');
    expect([before, await isOpen()]).toEqual([true, false]);
    await view.close();
  },
);
