import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { holdList } from '../../../src/gateway/run.js';
import type { Fault } from './faults.js';
import type { Answer } from './replies.js';

const json = 'application/json; charset=utf-8';

/**
 * Whether `If-None-Match` names a tag, weakly compared. Express asks `Cache-Control` too, with which scripts in pages send each such request:
 * they would never hear of it.
 */
const isAmong = (known: string, etag: string): boolean =>
  known.trim() === '*' || known.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);

/** Headers by which requests say who asks. */
const callers = 'PB-API-TOKEN, PB-USER-TOKEN, Authorization';

/**
 * Tells by what an answer is known, and that whoever keeps it has to ask, with a token, whether it is still the same. Whether the client has
 * it already.
 */
function revalidated(response: ServerResponse, etag: string): boolean {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.appendHeader('Vary', callers);
  const known = response.req.headers['if-none-match'];
  return known !== undefined && isAmong(known, etag);
}

/** Writes an answer. Resolves when it is handed over, also when the client went away. */
export async function respond(response: ServerResponse, { status, body, pieces, bytes, etag }: Answer): Promise<void> {
  if (response.writableEnded) return;
  const written = pieces && response.req.method !== 'HEAD' ? await holdList(pieces, response) : null;
  response.statusCode = status;
  if (etag !== undefined && revalidated(response, etag)) {
    response.statusCode = 304;
    response.end();
  } else if (pieces) {
    response.setHeader('Content-Type', json);
    // One piece ahead: while the client takes one, the next is read.
    if (written) await pipeline(Readable.from(written, { highWaterMark: 1 }), response);
    else response.end();
  } else if (body === undefined && !bytes) {
    response.end();
  } else {
    // Text goes out in one piece with the headers, bytes behind them.
    const content = bytes ?? JSON.stringify(body);
    response.setHeader('Content-Type', json);
    response.setHeader('Content-Length', Buffer.byteLength(content));
    response.end(content);
  }
}

/** The error body of decision 1. */
export const faultAnswer = ({ status, message }: Fault, requestId: number): Answer => ({
  status,
  body: { Code: status, Message: message, Timestamp: Math.floor(Date.now() / 1000), RequestId: requestId },
});

/** Writes an error. */
export function respondFault(response: ServerResponse, fault: Fault, requestId: number): Promise<void> {
  if (fault.retryAfter !== undefined) response.setHeader('Retry-After', Math.ceil(fault.retryAfter));
  return respond(response, faultAnswer(fault, requestId));
}

/** Whether a failed write is only a client that left. */
export const clientLeft = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
