import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

const held = Symbol('headers');

const none: OutgoingHttpHeaders = Object.freeze({});

/** Headers of an answer that wait for its status. */
export const heldHeaders = (response: ServerResponse): OutgoingHttpHeaders =>
  (response as { [held]?: OutgoingHttpHeaders })[held] ?? none;

/**
 * Has headers leave with the answer's status, written together with its own by `writeHead(status, { ...heldHeaders(response), … })`: Node takes longer
 * to be told of a handful of headers one by one than `/v1` takes over many an answer.
 */
export function hold(response: ServerResponse, headers: OutgoingHttpHeaders): void {
  (response as { [held]?: OutgoingHttpHeaders })[held] = { ...heldHeaders(response), ...headers };
}

/** Tells Node of the headers, for those who write answers in another way. */
export function release(response: ServerResponse): void {
  for (const [name, value] of Object.entries(heldHeaders(response))) if (value !== undefined) response.setHeader(name, value);
}
