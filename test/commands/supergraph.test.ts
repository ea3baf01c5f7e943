import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../src/port.js';
import { type Collector, startCollector } from '../support/collector.js';
import { built, scratchDirectory } from '../support/service.js';

// Whole processes are started.
vi.setConfig({ testTimeout: 240_000 });

let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.close());

/** `npm run supergraph -- --processes 1`, as far as the build goes, up on the data of a directory. */
async function startSupergraph(directory: string) {
  await built();
  const child = spawn(process.execPath, ['dist/src/commands/supergraph.js', '--processes', '1'], {
    env: {
      DATA_DIR: directory,
      DEMO: 'false',
      PORT: String(await freePort()),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  await expect.poll(() => output, { timeout: 90_000 }).toContain('Ctrl-C stops it.');
  const [gateway = ''] = /http:\S+\/graphql/.exec(output) ?? [];
  const origins = [...new Set(output.match(/http:\/\/127\.0\.0\.1:\d+/g))];
  const atStart = output.length;
  return { gateway, origins, child, ended, since: () => output.slice(atStart).trim() };
}

/** Whether nothing listens there any more. */
const isGone = (origin: string) =>
  fetch(`${origin}/health`).then(
    () => false,
    () => true,
  );

test('kill -9 leaves no process and no database behind, it goes on with the same data, in one trace, and Ctrl-C ends it quietly', async () => {
  const directory = await scratchDirectory();
  const hasDatabase = () => existsSync(join(directory, 'postgres', 'postmaster.pid'));
  const first = await startSupergraph(directory);
  first.child.kill('SIGKILL');
  await expect.poll(() => Promise.all(first.origins.map(isGone)), { timeout: 20_000 }).toEqual([true]);
  await expect.poll(hasDatabase, { timeout: 20_000 }).toBe(false);

  const second = await startSupergraph(directory);
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const response = await fetch(`${second.gateway}?query={countries{totalCount}}`, {
    headers: { 'apollo-require-preflight': 'true', traceparent: `00-${traceId}-${spanId}-01` },
  });
  const { data } = await response.json();
  // As from a terminal, where npm tells it once more.
  second.child.kill('SIGINT');
  second.child.kill('SIGINT');
  const code = await second.ended;
  expect([data, code, second.since(), await Promise.all(second.origins.map(isGone)), hasDatabase()]).toEqual([
    { countries: { totalCount: 250 } },
    0,
    '',
    [true],
    false,
  ]);
  const spans = await collector.spans(traceId, ({ name }) => /^(?:GET|POST) /.test(name), 2);
  const gateway = spans.find(({ name }) => name === 'GET /graphql');
  const subgraph = spans.find(({ name }) => name === 'POST /subgraphs/reference');
  expect([gateway?.parentSpanId, subgraph?.parentSpanId]).toEqual([spanId, gateway?.spanId]);
});
