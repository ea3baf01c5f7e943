import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { getOperationAST, parse } from 'graphql';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { subscriptionCounts } from '../../../src/graphql/subscriptions/connections.js';
import { declaredVariables } from '../../../src/graphql/subscriptions/subscribe.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const openResponses = new Set<IncomingMessage>();
afterEach(async () => {
  for (const response of openResponses) response.destroy();
  openResponses.clear();
  await expect.poll(() => subscriptionCounts.open.sse).toBe(0);
});

/** Sends an operation, and returns the response before its body is read. The body is chunked unless the headers contain its length. */
async function send(body: string, headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
  const outgoing = request(`${app.origin}/graphql`, {
    method: 'POST',
    headers: { 'PB-API-TOKEN': app.platform.platform, 'Content-Type': 'application/json', ...headers },
  });
  outgoing.write(body);
  outgoing.end();
  const [response] = await once(outgoing, 'response', { signal: AbortSignal.timeout(4_000) });
  openResponses.add(response);
  return response.on('error', () => undefined);
}

const bodyOf = (query: string, paddingLength: number) =>
  JSON.stringify({ query, variables: { undeclared: 'x'.repeat(paddingLength) } });

test.each([
  { bodies: 'chunked bodies', count: 32, paddingLength: 0, isChunked: true },
  { bodies: 'bodies of almost one megabyte', count: 2, paddingLength: 1_048_000, isChunked: false },
])('open event streams with $bodies do not delay other requests', async ({ count, paddingLength, isChunked }) => {
  const headersOf = (body: string): OutgoingHttpHeaders => (isChunked ? {} : { 'Content-Length': body.length });
  const subscription = bodyOf('subscription { changes(records: ["Team"]) { cursor } }', paddingLength);
  for (let index = 0; index < count; index++) {
    const stream = await send(subscription, { Accept: 'text/event-stream', ...headersOf(subscription) });
    expect(stream.headers['content-type']).toBe('text/event-stream');
  }
  expect(subscriptionCounts.open.sse).toBe(count);
  const query = bodyOf('{ __typename }', Math.max(paddingLength, 100_000));
  expect((await send(query, headersOf(query))).statusCode).toBe(200);
});

test('a subscription keeps only the variables that its operation declares', () => {
  const operation = getOperationAST(parse('subscription ($id: ID!) { tournament(id: $id) { kind } }'));
  if (!operation) return expect.fail('the document has no operation');
  expect(declaredVariables(operation, { id: 'cup', pad: 'x'.repeat(1000) })).toEqual({ id: 'cup' });
});
