import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Room } from '../../src/gateway/room.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answer = () => new ServerResponse(new IncomingMessage(new Socket()));

/** What became of those who asked for room, in the order in which they were told. */
function asking(room: Room) {
  const told: string[] = [];
  const ask = (name: string, amount: number) => {
    const response = answer();
    room.hold(amount, response).then(
      () => told.push(`${name} is in`),
      (error: Error) => told.push(`${name}: ${error.message}`),
    );
    return response;
  };
  return { told, ask };
}

test('who finds no room comes in when others have left, in turn', async () => {
  const { told, ask } = asking(new Room(10, 5, 0));
  const first = ask('first', 8);
  ask('second', 4);
  ask('third', 1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toEqual(['first is in']);
  first.emit('close');
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(['first is in', 'second is in', 'third is in']);
});

test('who has waited too long is told to come later, and holds nobody up', async () => {
  const { told, ask } = asking(new Room(10, 5, 0));
  ask('first', 8);
  ask('second', 4);
  await vi.advanceTimersByTimeAsync(2_500);
  ask('third', 2);
  await vi.advanceTimersByTimeAsync(2_501);
  expect(told).toEqual(['first is in', 'second: there is too much to do at once', 'third is in']);
});

test('who has gone while waiting takes no room, and more than all is all', async () => {
  const { told, ask } = asking(new Room(10, 5, 0));
  const first = ask('first', 1000);
  ask('second', 10).emit('close');
  ask('third', 10);
  first.emit('close');
  await vi.advanceTimersByTimeAsync(1);
  expect(told.at(-1)).toBe('third is in');
});

test('a few wait as long as it takes', async () => {
  const { told, ask } = asking(new Room(10, 5, 1));
  const first = ask('first', 10);
  ask('second', 1);
  ask('third', 1);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(told).toEqual(['first is in', 'second: there is too much to do at once']);
  first.emit('close');
  await vi.advanceTimersByTimeAsync(1);
  expect(told.at(-1)).toBe('third is in');
});

test('where some wait, fewer may come in at once', async () => {
  const { told, ask } = asking(new Room(4, 5, 0, 1));
  const inside = ['a', 'b', 'c', 'd'].map((name) => ask(name, 1));
  ask('late', 1);
  for (const each of inside.slice(1)) each.emit('close');
  await vi.advanceTimersByTimeAsync(1);
  expect(told).not.toContain('late is in');
  inside[0]?.emit('close');
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toContain('late is in');
});
