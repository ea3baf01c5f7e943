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

/** Returns the names in the first column of the table below a heading, which are in backticks. */
const namesBelow = (heading: string): string[] => {
  const section = page.split(`### ${heading}\n`)[1]?.split(/\n#/)[0] ?? '';
  return [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
};

test('the page lists the metrics that the service exports', () => {
  const registry = new Registry();
  new RequestMeter([registry]);
  const names = [...registry.getMetricsAsArray(), ...healthMetrics, ...componentMetrics].map(({ name }) => name);
  const listed = [...page.matchAll(/^\| (`courtside_.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/courtside_\w+/g) ?? []);
  expect(listed.sort()).toEqual(names.sort());
});

test('the page lists events that the source code logs', () => {
  const source = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join('src', file), 'utf8'))
    .join('\n');
  const [, ...names] = namesBelow('Events');
  // The end of these names is not constant.
  const events = names.map((name) => name.replace(/…$/, '').replace(/^message sent$/, 'message '));
  expect(events.length).toBeGreaterThan(15);
  expect(events.filter((name) => !source.includes(`'${name}`) && !source.includes(`\`${name}`))).toEqual([]);
});

test('the page explains each reason of unavailability and each cause of a database error', () => {
  const explained = namesBelow('Reasons of unavailability');
  expect([...unavailableReasons, ...databaseCauses].filter((name) => !explained.includes(name))).toEqual([]);
});
