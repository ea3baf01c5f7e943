import { buildSchema, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  computeEventResult,
  type Subscriber,
  type SubscriptionRequest,
} from '../../../src/graphql/subscriptions/event-results.js';
import { heavyCost } from '../../../src/graphql/subscriptions/fair-limiter.js';
import type { Context } from '../../../src/kernel/declare/context.js';
import type { Caller } from '../../../src/kernel/declare/policy/caller.js';
import type { LiveEvent } from '../../../src/kernel/serve/live-events.js';

const schema = buildSchema('type Query { roles: String, name: String }');
const subscriptionTo = (field: 'roles' | 'name', cost = heavyCost): SubscriptionRequest => ({
  schema,
  document: documents[field],
  operationName: undefined,
  variables: {},
  cost,
});
const documents = { roles: parse('{ roles }'), name: parse('{ name }') };
const userOf = (id: string, ...roles: string[]) =>
  ({ platform: null, key: null, user: { id, isSuperAdmin: false, roles: new Set(roles) } }) as unknown as Caller;
const contextOf = (caller: Caller) => ({ caller }) as Context;
const rootValue = { roles: (_: unknown, { caller }: Context) => [...(caller.user?.roles ?? [])].join(), name: 'x' };

const subscriberOf = (callerKey: string, more: Partial<Subscriber> = {}): Subscriber => ({
  currentCaller: () => userOf(callerKey),
  isOpen: () => true,
  origin: '',
  callerKey,
  ...more,
});

/** Creates an event that blocks its responses until `release` is called. */
function heldEvent(): { event: LiveEvent; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return {
    event: { notification: {}, source: rootValue, canReceive: () => promise } as unknown as LiveEvent,
    release: () => resolve(true),
  };
}
const event = { notification: {}, source: rootValue, canReceive: async () => true } as unknown as LiveEvent;

test('a queued response is computed with the permissions that its caller has at that time', async () => {
  const { event: slow, release } = heldEvent();
  const busy = computeEventResult(subscriptionTo('name'), slow, subscriberOf('other'), contextOf);
  let caller = userOf('ana', 'ADMIN');
  const answer = computeEventResult(
    subscriptionTo('roles'),
    event,
    subscriberOf('ana', { currentCaller: () => caller }),
    contextOf,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  caller = userOf('ana');
  release();
  await busy;
  expect(await answer).toEqual({ data: { roles: '' } });
});

test('a shared response does not wait for the backlog of one of its callers', async () => {
  const { event: slow, release } = heldEvent();
  const busyCaller = subscriberOf('busy');
  const backlog = Array.from({ length: 20 }, (_, index) =>
    computeEventResult({ ...subscriptionTo('name', 1), operationName: `${index}` }, slow, busyCaller, contextOf),
  );
  const shared = { ...event, told: {} } as unknown as LiveEvent;
  const ofBusyCaller = computeEventResult(subscriptionTo('name', 1), shared, busyCaller, contextOf);
  const victim = subscriberOf('ben');
  const answer = computeEventResult(subscriptionTo('name', 1), shared, victim, contextOf);
  await new Promise((resolve) => setTimeout(resolve, 20));
  release();
  let done = 0;
  for (const pending of backlog) void pending.then(() => done++);
  expect({ data: await answer, isBeforeMostOfTheBacklog: done < 12 }).toEqual({
    data: { data: { name: 'x' } },
    isBeforeMostOfTheBacklog: true,
  });
  await Promise.all([...backlog, ofBusyCaller]);
});

describe('a response of a subscription that was closed in the meantime', () => {
  /** Creates an event that counts the responses computed for it. */
  const counted = () => {
    let count = 0;
    const concerns = async () => {
      count += 1;
      return true;
    };
    return { event: { notification: {}, source: rootValue, canReceive: concerns } as unknown as LiveEvent, count: () => count };
  };

  test('is not computed', async () => {
    const { event: closedEvent, count } = counted();
    const closed = subscriberOf('ana', { isOpen: () => false });
    expect({ answer: await computeEventResult(subscriptionTo('name'), closedEvent, closed, contextOf), count: count() }).toEqual({
      answer: null,
      count: 0,
    });
  });

  test.each([
    ['the same caller', 'ana'],
    ['another caller', 'ben'],
  ])('is computed for another subscription of %s', async (_, callerKey) => {
    const { event: sharedEvent, count } = counted();
    const closed = computeEventResult(
      subscriptionTo('name'),
      sharedEvent,
      subscriberOf('ana', { isOpen: () => false }),
      contextOf,
    );
    const open = computeEventResult(subscriptionTo('name'), sharedEvent, subscriberOf(callerKey), contextOf);
    expect({ open: await open, count: count(), isClosedSettled: (await closed) !== undefined }).toEqual({
      open: { data: { name: 'x' } },
      count: 1,
      isClosedSettled: true,
    });
  });
});
