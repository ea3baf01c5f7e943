import { expect, test } from 'vitest';
import { stageHead, stageRow } from './bench/stage-table.js';
import { type Profile, type Stage, stages, timeByStage } from './bench/stages.js';

/** Returns a profile with one sample of 10 µs for each stack. A stack lists frames as `function @file`, outermost first. */
function profileOf(stacks: readonly (readonly string[])[]): Profile {
  const nodes: Profile['nodes'] = [{ id: 1, callFrame: { functionName: '(root)', url: '' }, children: [] }];
  const samples = stacks.map((stack) => {
    let parent = nodes[0];
    for (const frame of stack) {
      const [functionName = '', url = ''] = frame.split(' @');
      const node = { id: nodes.length + 1, callFrame: { functionName, url }, children: [] };
      nodes.push(node);
      parent?.children?.push(node.id);
      parent = node;
    }
    return nodes.length;
  });
  return { nodes, samples, timeDeltas: samples.map(() => 10) };
}

test('time is attributed to the stage of the innermost function that belongs to a stage', () => {
  const serve = 'serve @file:///x/dist/unbundled/compat/engine/router.js';
  const run = 'run @file:///x/node_modules/graphql-jit/dist/execution.js';
  const profile = profileOf([
    ['parserOnIncoming @node:_http_server', serve],
    [serve, 'end @node:_http_outgoing', 'write @node:net', 'writev'],
    [serve, 'identify @file:///x/dist/unbundled/src/modules/accounts/sign-in/authenticator.js'],
    [serve, 'decoded @file:///x/dist/unbundled/compat/engine/request/payload.js', '(anonymous)'],
    [run, 'generated'],
    [
      run,
      'load @file:///x/dist/unbundled/src/kernel/read/loaders.js',
      'query @file:///x/node_modules/pg/lib/client.js',
      'writev',
    ],
    ['onStreamRead @node:internal/stream_base_commons', 'parse @file:///x/dist/unbundled/src/database/row-parser.js', 'test'],
    [serve, 'respond @file:///x/dist/unbundled/compat/engine/reply/respond.js', 'stringify'],
    [serve, 'count @file:///x/dist/unbundled/src/modules/usage/usage-recorder.js', 'bucketOf', 'now'],
    [serve, 'deprecationHeaders @file:///x/dist/unbundled/compat/engine/reply/deprecation.js'],
    [
      'write @file:///x/dist/unbundled/src/modules/usage/usage-recorder.js',
      'rows @file:///x/dist/unbundled/src/kernel/session.js',
      'query @file:///x/node_modules/pg/lib/client.js',
    ],
    [serve, '(garbage collector)'],
    ['runMicrotasks'],
    ['(idle)'],
  ]);
  expect(timeByStage(profile, 0)).toEqual({
    HTTP: 20,
    token: 10,
    arguments: 10,
    execution: 10,
    SQL: 20,
    encoding: 10,
    usage: 30,
    garbage: 10,
    runtime: 10,
  });
  expect(timeByStage(profile, 130)).toMatchObject({ HTTP: 0, runtime: 10 });
});

test('the table of a profile shows the time of each stage and the share of usage', () => {
  const shares = Object.fromEntries(stages.map((stage) => [stage, 0])) as Record<Stage, number>;
  const row = stageRow({ title: 'one', shares: { ...shares, HTTP: 0.4, SQL: 0.596, usage: 0.004 }, own: 200, database: 90 });
  const [headings, alignments, ...rest] = stageHead().split('\n');
  expect({ headings, alignments, rest, row }).toEqual({
    headings:
      '| workload | HTTP | token | arguments | execution | SQL | encoding | usage | garbage | runtime | total | PostgreSQL | share of usage |',
    alignments: '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    rest: [],
    row: '| one | 80 | 0.0 | 0.0 | 0.0 | 119 | 0.0 | 0.8 | 0.0 | 0.0 | 200 | 90 | 0.40 % |',
  });
});
