import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inOrder } from '../../src/gateway/live/in-order.js';
import { heavyCost, Turns } from '../../src/gateway/live/turns.js';

/** Turns whose work is recorded by name and ends when the test says so. */
function recordedTurns(most: number) {
  const turns = new Turns(most);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (caller: string, name: string, cost = 1) =>
    turns.take(caller, cost, () => {
      begun.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await sleep(0);
  };
  return { take, end, begun };
}

test('callers take turns, however many answers one of them waits for', async () => {
  const { take, end, begun } = recordedTurns(1);
  for (const name of ['a1', 'a2', 'a3']) void take('a', name);
  void take('b', 'b1');
  await sleep(0);
  for (const name of ['a1', 'a2', 'b1']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('heavy answers are computed one at a time, and light ones next to them', async () => {
  const { take, end, begun } = recordedTurns(3);
  for (const caller of ['a', 'b']) void take(caller, caller, heavyCost);
  void take('c', 'c', heavyCost - 1);
  await sleep(0);
  const before = [...begun];
  await end('a');
  expect({ before, afterwards: begun }).toEqual({ before: ['a', 'c'], afterwards: ['a', 'c', 'b'] });
});

test('values of one key are made one after the other, those of others meanwhile', async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  async function* values() {
    yield* ['a1', 'a2', 'b1'];
  }
  const made = inOrder(
    values(),
    (value) => {
      begun.push(value);
      return new Promise<string>((resolve) => ends.set(value, () => resolve(value)));
    },
    { most: 3, keyOf: ([key = '']) => key },
  );
  const first = made.next();
  await expect.poll(() => begun).toEqual(['a1', 'b1']);
  ends.get('b1')?.();
  ends.get('a1')?.();
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
  ends.get('a2')?.();
  expect([(await first).value, (await made.next()).value, (await made.next()).value].join()).toBe('a1,a2,b1');
});
