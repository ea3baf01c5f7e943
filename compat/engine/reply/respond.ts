import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { holdList } from '../../../src/gateway/run.js';
import type { Fault } from './faults.js';
import type { Answer } from './replies.js';

const json = 'application/json; charset=utf-8';

/** Writes an answer. Resolves when it is handed over, also when the client went away. */
export async function respond(response: ServerResponse, { status, body, pieces, bytes }: Answer): Promise<void> {
  if (pieces && response.req.method !== 'HEAD') await holdList(response);
  response.statusCode = status;
  if (pieces) {
    response.setHeader('Content-Type', json);
    if (response.req.method === 'HEAD') response.end();
    // One piece ahead: while the client takes one, the next is read.
    else await pipeline(Readable.from(pieces, { highWaterMark: 1 }), response);
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
