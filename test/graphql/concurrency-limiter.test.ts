import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConcurrencyLimiter } from '../../src/graphql/limits/concurrency-limiter.js';
import { unavailabilityOf } from '../../src/kernel/monitoring/unavailable.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * Returns a function that sends requests to a limiter, and a list of events that records in order which requests are admitted or rejected.
 */
function clientOf(limiter: ConcurrencyLimiter) {
  const events: string[] = [];
  const request = (name: string, weight: number) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    limiter.acquireForResponse(weight, response).then(
      () => events.push(`${name} is admitted`),
      (error: Error) => events.push(`${name}: ${error.message} (${unavailabilityOf(error).reason})`),
    );
    return response;
  };
  return { events, request };
}

test('requests above the limit are admitted in order when others finish', async () => {
  const { events, request } = clientOf(new ConcurrencyLimiter(10, 5, 0));
  const first = request('first', 8);
  request('second', 4);
  request('third', 1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(events).toEqual(['first is admitted']);
  first.emit('close');
  await vi.advanceTimersByTimeAsync(1);
  expect(events).toEqual(['first is admitted', 'second is admitted', 'third is admitted']);
});

test('a request that waits longer than the timeout is rejected, and the next one is admitted', async () => {
  const { events, request } = clientOf(new ConcurrencyLimiter(10, 5, 0));
  request('first', 8);
  request('second', 4);
  await vi.advanceTimersByTimeAsync(2_500);
  request('third', 2);
  await vi.advanceTimersByTimeAsync(2_501);
  expect(events).toEqual(['first is admitted', 'second: the service is overloaded (overload)', 'third is admitted']);
});

test('a request whose client disconnects leaves the queue, and a weight above the limit counts as the limit', async () => {
  const { events, request } = clientOf(new ConcurrencyLimiter(10, 5, 0));
  const first = request('first', 1000);
  request('second', 10).emit('close');
  request('third', 10);
  first.emit('close');
  await vi.advanceTimersByTimeAsync(1);
  expect(events.at(-1)).toBe('third is admitted');
});

test('a configured number of requests waits without a timeout', async () => {
  const { events, request } = clientOf(new ConcurrencyLimiter(10, 5, 1));
  const first = request('first', 10);
  request('second', 1);
  request('third', 1);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(events).toEqual(['first is admitted', 'second: the service is overloaded (overload)']);
  first.emit('close');
  await vi.advanceTimersByTimeAsync(1);
  expect(events.at(-1)).toBe('third is admitted');
});

test('a lower limit applies while requests are waiting', async () => {
  const { events, request } = clientOf(new ConcurrencyLimiter(4, 5, 0, 1));
  const admitted = ['a', 'b', 'c', 'd'].map((name) => request(name, 1));
  request('late', 1);
  for (const response of admitted.slice(1)) response.emit('close');
  await vi.advanceTimersByTimeAsync(1);
  expect(events).not.toContain('late is admitted');
  admitted[0]?.emit('close');
  await vi.advanceTimersByTimeAsync(1);
  expect(events).toContain('late is admitted');
});
