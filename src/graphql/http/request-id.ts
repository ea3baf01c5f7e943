import type { ServerResponse } from 'node:http';
import { deferHeaders, deferredHeaders } from './deferred-headers.js';

let offset = Math.floor(Math.random() * 1000);
let lastId = 0;

/** Gives each worker of a service a separate range of request IDs. `worker` starts at 1. */
export function separateRequestIds(worker: number, workerCount: number): void {
  offset = Math.floor(((worker - 1 + Math.random()) * 1000) / workerCount);
}

/** Returns a new ID, which is greater than all earlier ones of the process. Other processes are unlikely to return the same ID. */
export const nextRequestId = (): number => {
  lastId = Math.max(lastId + 1, Date.now() * 1000 + offset);
  return lastId;
};

/** Response header with the request ID. Every response has it, including errors. */
export const requestIdHeader = 'X-Request-Id';

/** ID of the request. It is assigned on first access. */
export function requestIdOf(response: ServerResponse): number {
  const existingId = deferredHeaders(response)[requestIdHeader];
  if (typeof existingId === 'number') return existingId;
  const id = nextRequestId();
  deferHeaders(response, { [requestIdHeader]: id });
  return id;
}
