import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { acquireList, deferredHeaders, isKnown } from '../../../src/gateway/run.js';
import type { Fault } from './faults.js';
import type { Answer } from './replies.js';

const json = 'application/json; charset=utf-8';

/** Headers by which requests say who asks. */
const callers = 'PB-API-TOKEN, PB-USER-TOKEN, Authorization';

/** By what an answer is known, and where it may be kept that whoever keeps it has to ask, with a token, whether it is still the same. */
function knownBy(response: ServerResponse, { etag, isUnkept }: Answer): OutgoingHttpHeaders {
  if (etag === undefined || isUnkept) return etag === undefined ? {} : { ETag: etag };
  const varies = response.getHeader('Vary');
  return { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: varies === undefined ? callers : `${varies}, ${callers}` };
}

/** Writes an answer. Resolves when it is handed over, also when the client went away. */
export async function respond(response: ServerResponse, answer: Answer): Promise<void> {
  const { status, body, pieces, bytes, text, etag } = answer;
  if (response.writableEnded) return;
  const written = pieces && response.req.method !== 'HEAD' ? await acquireList(pieces, response) : null;
  const headers: OutgoingHttpHeaders = { ...deferredHeaders(response), ...knownBy(response, answer) };
  if (etag !== undefined && isKnown(response.req.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
  } else if (pieces) {
    headers['Content-Type'] = json;
    response.writeHead(status, headers);
    // One piece ahead: while the client takes one, the next is read.
    if (written) await pipeline(Readable.from(written, { highWaterMark: 1 }), response);
    else response.end();
  } else if (body === undefined && !bytes && text === undefined) {
    response.writeHead(status, headers).end();
  } else {
    // Text goes out in one piece with the headers, bytes behind them.
    const content = bytes ?? text ?? JSON.stringify(body);
    headers['Content-Type'] = json;
    const length = Buffer.byteLength(content);
    headers['Content-Length'] = length;
    // Text that is as long in bytes is ASCII: as Latin-1 it is copied as it stands, into a third of the room that UTF-8 might need.
    response.writeHead(status, headers).end(content, length === content.length ? 'latin1' : 'utf8');
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
