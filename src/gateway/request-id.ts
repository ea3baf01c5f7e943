import type { ServerResponse } from 'node:http';
import { heldHeaders, hold } from './held-headers.js';

let offset = Math.floor(Math.random() * 1000);
let last = 0;

/** Has the workers of one service number their requests apart: this one is the `worker`th of so many, from 1. */
export function numberApart(worker: number, of: number): void {
  offset = Math.floor(((worker - 1 + Math.random()) * 1000) / of);
}

/** A number of its own for every request: it grows, and processes that start together are unlikely to share one. */
export const nextRequestId = (): number => {
  last = Math.max(last + 1, Date.now() * 1000 + offset);
  return last;
};

/** Header in which every answer, refusals too, has the number of its request. */
export const requestIdHeader = 'X-Request-Id';

/** The number of the request that is answered, which it gets when it is asked for first. */
export function requestIdOf(response: ServerResponse): number {
  const known = heldHeaders(response)[requestIdHeader];
  if (typeof known === 'number') return known;
  const id = nextRequestId();
  hold(response, { [requestIdHeader]: id });
  return id;
}
