import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairLimiter, heavyCost } from '../../../src/graphql/subscriptions/fair-limiter.js';
import { mapInOrder } from '../../../src/graphql/subscriptions/in-order.js';

/** Creates a limiter and a list of the names of the started tasks. A task finishes when the test calls `finish`. */
function recordedLimiter(limit: number) {
  const limiter = new FairLimiter(limit);
  const started: string[] = [];
  const finishers = new Map<string, () => void>();
  const run = (caller: string, name: string, cost = 1) =>
    limiter.run(caller, cost, () => {
      started.push(name);
      return new Promise<void>((finish) => finishers.set(name, finish));
    });
  const finish = async (name: string) => {
    finishers.get(name)?.();
    await sleep(0);
  };
  return { run, finish, started };
}

test('callers take turns, even if one of them has many pending responses', async () => {
  const { run, finish, started } = recordedLimiter(1);
  for (const name of ['a1', 'a2', 'a3']) void run('a', name);
  void run('b', 'b1');
  await sleep(0);
  for (const name of ['a1', 'a2', 'b1']) await finish(name);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('heavy responses are computed one at a time, concurrently with light ones', async () => {
  const { run, finish, started } = recordedLimiter(3);
  for (const caller of ['a', 'b']) void run(caller, caller, heavyCost);
  void run('c', 'c', heavyCost - 1);
  await sleep(0);
  const before = [...started];
  await finish('a');
  expect({ before, after: started }).toEqual({ before: ['a', 'c'], after: ['a', 'c', 'b'] });
});

test('values with the same key are mapped one after the other, concurrently with other values', async () => {
  const started: string[] = [];
  const finishers = new Map<string, () => void>();
  async function* values() {
    yield* ['a1', 'a2', 'b1'];
  }
  const results = mapInOrder(
    values(),
    (value) => {
      started.push(value);
      return new Promise<string>((resolve) => finishers.set(value, () => resolve(value)));
    },
    { limit: 3, keyOf: ([key = '']) => key },
  );
  const first = results.next();
  await expect.poll(() => started).toEqual(['a1', 'b1']);
  finishers.get('b1')?.();
  finishers.get('a1')?.();
  await expect.poll(() => started).toEqual(['a1', 'b1', 'a2']);
  finishers.get('a2')?.();
  expect([(await first).value, (await results.next()).value, (await results.next()).value].join()).toBe('a1,a2,b1');
});
