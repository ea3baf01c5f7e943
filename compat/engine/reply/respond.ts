import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { acquireList, deferredHeaders, matchesTag } from '../../../src/graphql/run.js';
import type { ErrorResponse } from './error-response.js';
import type { Answer } from './replies.js';

const json = 'application/json; charset=utf-8';

/** Headers that identify the caller. */
const tokenHeaders = 'PB-API-TOKEN, PB-USER-TOKEN, Authorization';

/** Headers of a response with an ETag. Caches must revalidate it for each request, with the token of the caller. */
function tagHeaders(response: ServerResponse, { etag, isForOneCaller }: Answer): OutgoingHttpHeaders {
  if (etag === undefined || isForOneCaller) return etag === undefined ? {} : { ETag: etag };
  const vary = response.getHeader('Vary');
  return {
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    Vary: vary === undefined ? tokenHeaders : `${vary}, ${tokenHeaders}`,
  };
}

/** Sends a response. Resolves when it is sent, or when the client has disconnected. */
export async function respond(response: ServerResponse, answer: Answer): Promise<void> {
  const { status, body, chunks, bytes, text, etag } = answer;
  if (response.writableEnded) return;
  const limitedPieces = chunks && response.req.method !== 'HEAD' ? await acquireList(chunks, response) : null;
  const headers: OutgoingHttpHeaders = { ...deferredHeaders(response), ...tagHeaders(response, answer) };
  if (etag !== undefined && matchesTag(response.req.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
  } else if (chunks) {
    headers['Content-Type'] = json;
    response.writeHead(status, headers);
    // The next piece is read while the client receives the current one.
    if (limitedPieces) await pipeline(Readable.from(limitedPieces, { highWaterMark: 1 }), response);
    else response.end();
  } else if (body === undefined && !bytes && text === undefined) {
    response.writeHead(status, headers).end();
  } else {
    // Node.js sends text in one write with the headers, but bytes in a second write.
    const content = bytes ?? text ?? JSON.stringify(body);
    headers['Content-Type'] = json;
    const length = Buffer.byteLength(content);
    headers['Content-Length'] = length;
    // Text with as many bytes as characters is ASCII. Latin-1 copies it unchanged and reserves a third of the memory that UTF-8 might need.
    response.writeHead(status, headers).end(content, length === content.length ? 'latin1' : 'utf8');
  }
}

/** Error body (decision 1). */
export const faultAnswer = ({ status, message }: ErrorResponse, requestId: number): Answer => ({
  status,
  body: { Code: status, Message: message, Timestamp: Math.floor(Date.now() / 1000), RequestId: requestId },
});

/** Sends an error. */
export function respondError(response: ServerResponse, errorResponse: ErrorResponse, requestId: number): Promise<void> {
  if (errorResponse.retryAfter !== undefined) response.setHeader('Retry-After', Math.ceil(errorResponse.retryAfter));
  return respond(response, faultAnswer(errorResponse, requestId));
}

/** Whether a write failed because the client disconnected. */
export const isClientDisconnect = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
