import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../src/process/port.js';
import { buildService, scratchDirectory } from '../../support/servers/service-process.js';
import { type Collector, startCollector } from '../../support/servers/trace-collector.js';

// Starting the processes takes longer than the default timeout.
vi.setConfig({ testTimeout: 240_000 });

let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.close());

/** Starts `npm run supergraph -- --processes 1` with a data directory, and waits until it is ready. */
async function startSupergraph(directory: string) {
  await buildService();
  const child = spawn(process.execPath, ['dist/development/run.js', 'supergraph', '--processes', '1'], {
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
  await expect.poll(() => output, { timeout: 90_000 }).toContain('Press Ctrl-C to stop.');
  const [gateway = ''] = /http:\S+\/graphql/.exec(output) ?? [];
  const origins = [...new Set(output.match(/http:\/\/127\.0\.0\.1:\d+/g))];
  const atStart = output.length;
  return { gateway, origins, child, ended, outputSinceStart: () => output.slice(atStart).trim() };
}

/** Whether nothing listens at an origin. */
const isDown = (origin: string) =>
  fetch(`${origin}/health`).then(
    () => false,
    () => true,
  );

test('the supergraph leaves no process after kill -9, restarts on its data, propagates traces and stops quietly', async () => {
  const directory = await scratchDirectory();
  const isDatabaseRunning = () => existsSync(join(directory, 'postgres', 'postmaster.pid'));
  const first = await startSupergraph(directory);
  first.child.kill('SIGKILL');
  await expect.poll(() => Promise.all(first.origins.map(isDown)), { timeout: 20_000 }).toEqual([true]);
  await expect.poll(isDatabaseRunning, { timeout: 20_000 }).toBe(false);

  const second = await startSupergraph(directory);
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const response = await fetch(`${second.gateway}?query={countries{totalCount}}`, {
    headers: { 'apollo-require-preflight': 'true', traceparent: `00-${traceId}-${spanId}-01` },
  });
  const { data } = await response.json();
  // On Ctrl-C in a terminal, npm sends the signal a second time.
  second.child.kill('SIGINT');
  second.child.kill('SIGINT');
  const exitCode = await second.ended;
  expect(data).toEqual({ countries: { totalCount: 250 } });
  expect({
    exitCode,
    output: second.outputSinceStart(),
    areDown: await Promise.all(second.origins.map(isDown)),
    isDatabaseRunning: isDatabaseRunning(),
  }).toEqual({ exitCode: 0, output: '', areDown: [true], isDatabaseRunning: false });
  const spans = await collector.spans(traceId, ({ name }) => /^(?:GET|POST) /.test(name), 2);
  const gateway = spans.find(({ name }) => name === 'GET /graphql');
  const subgraph = spans.find(({ name }) => name === 'POST /subgraphs/reference');
  expect({ parentOfGateway: gateway?.parentSpanId, parentOfSubgraph: subgraph?.parentSpanId }).toEqual({
    parentOfGateway: spanId,
    parentOfSubgraph: gateway?.spanId,
  });
});
