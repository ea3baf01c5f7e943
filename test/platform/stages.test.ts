import { expect, test } from 'vitest';
import { type Profile, timeByStage } from '../bench/stages.js';

/** A profile of one sample of 10 µs for each stack of `function @file`, the outermost first. */
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

test('time goes to the stage of the innermost function that tells one', () => {
  const serve = 'serve @file:///x/dist/unbundled/compat/engine/router.js';
  const run = 'run @file:///x/node_modules/graphql-jit/dist/execution.js';
  const profile = profileOf([
    ['parserOnIncoming @node:_http_server', serve],
    [serve, 'end @node:_http_outgoing', 'write @node:net', 'writev'],
    [serve, 'identify @file:///x/dist/unbundled/src/modules/accounts/identify.js'],
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
    garbage: 10,
    runtime: 10,
  });
  expect(timeByStage(profile, 100)).toMatchObject({ HTTP: 0, runtime: 10 });
});
