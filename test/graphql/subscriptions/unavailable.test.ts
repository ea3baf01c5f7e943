import { buildSchema, type GraphQLError, parse } from 'graphql';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type Resources, unknownClient } from '../../../src/graphql/context.js';
import { Streams } from '../../../src/graphql/subscriptions/streams.js';
import { subscribeTo } from '../../../src/graphql/subscriptions/subscribe.js';
import type { Change, ChangeLog } from '../../../src/kernel/changes/index.js';
import { Watch } from '../../../src/kernel/changes/watch.js';
import type { Caller } from '../../../src/kernel/declare/policy/caller.js';
import { createUnavailableError } from '../../../src/kernel/monitoring/unavailable.js';
import { LiveEvents } from '../../../src/kernel/serve/live-events.js';

const schema = buildSchema('type Query { name: String } type Subscription { name: String }');
const caller = { platform: null, key: null, user: null } as unknown as Caller;

test('a subscription that ends with UNAVAILABLE ends its watch, and returning it again has no effect', async () => {
  let endedWatches = 0;
  const watch = new Watch({ log: 'log', position: 0, checksum: undefined }, () => endedWatches++);
  const unavailable = () => {
    throw createUnavailableError({ reason: 'database', cause: 'test' }, 'the database is unavailable', 5);
  };
  Object.assign(schema.getSubscriptionType()?.getFields().name ?? {}, {
    subscribe: () => new LiveEvents(watch, unavailable, () => undefined),
  });
  const changes = { watch: () => Promise.reject(new Error('unused')) } as unknown as ChangeLog;
  const limits = { maxStreams: 1, maxStreamsPerCaller: 1, maxCostPerCaller: 100, maxCostPerAddress: 100 };
  const streams = new Streams(changes, limits, () => undefined, pino({ level: 'silent' }));
  const results = await subscribeTo(
    { schema, document: parse('subscription { name }'), operationName: undefined, variables: {} },
    {
      resources: { services: { backgroundPools: () => ({}) }, requestTimeout: 1_000 } as unknown as Resources,
      streams,
      mask: (error) => error as GraphQLError,
      client: unknownClient,
      caller,
      connection: null,
      identify: async () => caller,
    },
  );
  if (!(Symbol.asyncIterator in results)) throw new Error('the subscription was refused');
  watch.push({ kind: 'CREATED', position: 1 } as Change);
  // Reads until the iterator ends, like a WebSocket, which does not call `return()`.
  const codes: unknown[] = [];
  for (let next = await results.next(); !next.done; next = await results.next())
    codes.push(next.value.errors?.[0]?.extensions.code);
  expect({ codes, endedWatches, open: streams.size }).toEqual({ codes: ['UNAVAILABLE'], endedWatches: 1, open: 0 });
  await results.return?.();
  expect(endedWatches).toBe(1);
  streams.stop();
});
