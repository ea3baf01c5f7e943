import { expect, onTestFinished, test } from 'vitest';
import { type ComparedResponse, differencesOf } from '../../src/replay/comparison/compare-responses.js';
import { createRedactor } from '../../src/replay/recording/redact.js';
import { type ComparedRequest, findingsByRoute } from '../../src/replay/run/findings.js';
import { createValueRedactor, reportOf } from '../../src/replay/run/report.js';
import { missingBrowser, newContext } from '../support/clients/browser.js';
import { requires } from '../support/prerequisites.js';

const answer = (value: unknown, more: Partial<ComparedResponse> = {}): ComparedResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
  origin: 'http://old',
  ...more,
});

const compare = (
  name: string,
  oldAnswer: ComparedResponse,
  newAnswer: ComparedResponse,
  repeatedAnswer = oldAnswer,
): ComparedRequest => ({
  request: {
    name,
    isWrite: false,
    displayUrl: name.replace('{uuid}', '944688ed-a116-4a44-a7c7-c7b611127e41'),
    request: { method: 'GET', path: '', headers: [], body: null, isRead: true },
    textsWithIds: [],
    recordedResponse: null,
    recordedStatus: null,
  },
  status: null,
  differences: differencesOf(oldAnswer, newAnswer),
  noise: differencesOf(oldAnswer, repeatedAnswer),
});

const team = { uuid: 'x', seed: 3, note: 'call ana@example.com', at: 1 };
const findings = findingsByRoute(
  [
    compare(
      'GET /v1/data/teams/{uuid}',
      answer({ result: team }),
      answer({ result: { ...team, seed: '3' } }),
      answer({ result: { ...team, at: 2 } }),
    ),
    compare(
      'GET /v1/users/{uuid}',
      answer({ result: { email: 'ana@example.com', firstName: 'Ana', city: 'Austin' } }),
      answer({ result: { email: 'ben@example.com', firstName: '<b>Ben</b>', city: null } }),
    ),
    compare(
      'GET /v1/data/news',
      answer({ title: 'by ana@example.com with token abc-def-token-1234 <script>' }),
      answer({ title: 'x'.repeat(400) }),
    ),
    compare('GET /v1/data/leagues', answer({}), answer({}, { status: 500 })),
    compare('GET /v1/data/lookup_formats', answer({}), answer({})),
  ],
  [],
);
const page = reportOf(
  findings,
  { requests: [], unselectedCount: 0, skippedWriteCount: 2, bodilessCount: 0 },
  { allDiffer: false, lines: [] },
  {
    old: 'https://old.example',
    new: 'https://new.example',
    file: 'traffic.har',
    createdAt: new Date('2026-08-01T12:00:00Z'),
    redactValue: createValueRedactor(createRedactor(), ['abc-def-token-1234']),
  },
);

test('the report contains no personal or secret value and no markup from responses', () => {
  const hidden = ['ana@', 'ben@', 'Ana', 'Ben', 'Austin', 'abc-def', '<script', '<b>'];
  expect(hidden.filter((value) => page.includes(value))).toEqual([]);
});

test('the report says how hidden values differ', () => {
  expect(page).toMatch(/Different value|Different type/);
});

test.each(['light', 'dark'] as const)(
  'the report is readable on a phone, in the %s color scheme, by keyboard and without network requests',
  requires(missingBrowser),
  async (colorScheme) => {
    const context = await newContext({ colorScheme, viewport: { width: 390, height: 800 } });
    onTestFinished(() => context.close());
    const view = await context.newPage();
    const problems: string[] = [];
    view.on('console', (message) => problems.push(message.text()));
    view.on('request', (request) => problems.push(request.url()));
    await view.setContent(page);
    const { isWide, background, headings } = await view.evaluate(() => ({
      isWide: document.documentElement.scrollWidth > innerWidth,
      background: getComputedStyle(document.body).backgroundColor,
      headings: [...document.querySelectorAll('h1, h2, summary code')].map((each) => each.textContent),
    }));
    expect({ problems, isWide, background, headings }).toEqual({
      problems: [],
      isWide: false,
      background: colorScheme === 'dark' ? 'rgb(12, 12, 14)' : 'rgb(255, 255, 255)',
      headings: [
        'Replay of traffic.har',
        'Differences',
        'GET /v1/data/leagues',
        'GET /v1/data/news',
        'GET /v1/data/teams/{uuid}',
        'GET /v1/users/{uuid}',
        'Same responses',
      ],
    });
    await view.keyboard.press('Tab');
    const details = view.locator('details').first();
    const isOpen = () => details.evaluate((element: HTMLDetailsElement) => element.open);
    const isOpenBefore = await isOpen();
    await view.keyboard.press('Enter');
    expect({ isOpenBefore, isOpenAfter: await isOpen() }).toEqual({ isOpenBefore: true, isOpenAfter: false });
  },
);
