import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { databaseCauses } from '../../src/kernel/database-errors.js';
import { unavailableReasons } from '../../src/kernel/monitoring/unavailable.js';
import { componentMetrics } from '../../src/metrics/component-metrics.js';
import { healthMetrics } from '../../src/metrics/health-metrics.js';
import { RequestMeter } from '../../src/metrics/requests.js';

const page = readFileSync('docs/monitoring.md', 'utf8');

const source = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'))
  .join('\n');

/** Returns the cells of the table rows below a heading. */
const rowsBelow = (heading: string): string[][] => {
  const section = page.split(`### ${heading}\n`)[1]?.split(/\n#/)[0] ?? '';
  return [...section.matchAll(/^\| (.*) \|$/gm)].map(([, cells = '']) => cells.split(' | '));
};

/** Returns the texts in backticks. */
const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test('the page lists the metrics that the service exports', () => {
  const registry = new Registry();
  new RequestMeter([registry]);
  const names = [...registry.getMetricsAsArray(), ...healthMetrics, ...componentMetrics].map(({ name }) => name);
  const listed = [...page.matchAll(/^\| (`courtside_.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/courtside_\w+/g) ?? []);
  expect(listed.sort()).toEqual(names.sort());
});

/** Level and message of each log call in the source code. The part of a message that is not constant is `…`. */
const loggedEvents = [
  ...source.matchAll(/(?:[lL]og\.(info|warn|error)|#write)\((?:[^;`]*?[,\s])?(['`])([^'`\n]+)\2,?\s*\)/g),
].map(([, level = 'info', , message = '']) => `${level} ${message.replaceAll(/\$\{\w+\}/g, '…')}`);

/** Messages of log calls that select the message or the level at run time. */
const computedEvents = [
  'info migration started',
  'info migration step started',
  'info migration finished',
  'warn migration waits for a lock',
];

test('the page lists the events that the source code logs, with their level', () => {
  const listedEvents = rowsBelow('Events')
    .slice(1)
    .flatMap(([messages = '', levels = '']) =>
      namesIn(messages).map((message, index) => `${levels.split(', ')[index] ?? levels} ${message}`),
    );
  // In production, this log message always ends with `sent`.
  const events = [...loggedEvents, ...computedEvents].map((event) => event.replace('message …', 'message sent'));
  expect(listedEvents.toSorted()).toEqual([...new Set(events)].toSorted());
});

test('the page explains each reason of unavailability and each cause of a database error', () => {
  const explained = rowsBelow('Reasons for unavailability').flatMap(([names = '']) => namesIn(names));
  expect([...unavailableReasons, ...databaseCauses].filter((name) => !explained.includes(name))).toEqual([]);
});
