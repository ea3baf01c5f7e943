import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

const deferredKey = Symbol('headers');

const noHeaders: OutgoingHttpHeaders = Object.freeze({});

/** Headers that are sent when the status of the response is written. */
export const deferredHeaders = (response: ServerResponse): OutgoingHttpHeaders =>
  (response as { [deferredKey]?: OutgoingHttpHeaders })[deferredKey] ?? noHeaders;

/**
 * Adds headers that are sent with the status by `writeHead(status, { ...deferredHeaders(response), … })`. Separate `setHeader`
 * calls take longer than most `/v1` requests.
 */
export function deferHeaders(response: ServerResponse, headers: OutgoingHttpHeaders): void {
  (response as { [deferredKey]?: OutgoingHttpHeaders })[deferredKey] = { ...deferredHeaders(response), ...headers };
}

/** Sets the deferred headers on the response, for code that does not call `writeHead` itself. */
export function flushHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(deferredHeaders(response))) if (value !== undefined) response.setHeader(name, value);
}
