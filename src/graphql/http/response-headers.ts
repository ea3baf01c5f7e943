import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

const deferredKey = Symbol('headers');

const noHeaders: OutgoingHttpHeaders = Object.freeze({});

/** Returns the headers that will be sent together with the status of the response. */
export const deferredHeaders = (response: ServerResponse): OutgoingHttpHeaders =>
  (response as { [deferredKey]?: OutgoingHttpHeaders })[deferredKey] ?? noHeaders;

/**
 * Adds headers that `writeHead(status, { ...deferredHeaders(response), … })` sends together with the status. Separate calls of `setHeader`
 * would take longer than most `/v1` requests.
 */
export function deferHeaders(response: ServerResponse, headers: OutgoingHttpHeaders): void {
  (response as { [deferredKey]?: OutgoingHttpHeaders })[deferredKey] = { ...deferredHeaders(response), ...headers };
}

/** Sets the deferred headers on the response, for code that does not call `writeHead` itself. */
export function flushHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(deferredHeaders(response))) if (value !== undefined) response.setHeader(name, value);
}

let offset = Math.floor(Math.random() * 1000);
let lastId = 0;

/** Gives each worker of a service a separate range of request IDs. `worker` starts at 1. */
export function separateRequestIds(worker: number, workerCount: number): void {
  offset = Math.floor(((worker - 1 + Math.random()) * 1000) / workerCount);
}

/** Returns a new ID, greater than all earlier IDs of this process. Other processes are unlikely to return the same ID. */
export const nextRequestId = (): number => {
  lastId = Math.max(lastId + 1, Date.now() * 1000 + offset);
  return lastId;
};

/** Response header with the request ID. Every response has it, including errors. */
export const requestIdHeader = 'X-Request-Id';

/** Returns the ID of the request. The ID is assigned on first access. */
export function requestIdOf(response: ServerResponse): number {
  const existingId = deferredHeaders(response)[requestIdHeader];
  if (typeof existingId === 'number') return existingId;
  const id = nextRequestId();
  deferHeaders(response, { [requestIdHeader]: id });
  return id;
}
