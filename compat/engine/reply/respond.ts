import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { acquireList, deferredHeaders, matchesTag } from '../../../src/graphql/run.js';
import type { HttpError } from './error-response.js';
import type { LegacyResponse } from './replies.js';

const json = 'application/json; charset=utf-8';

/** Headers that identify the caller. */
const tokenHeaders = 'PB-API-TOKEN, PB-USER-TOKEN, Authorization';

/**
 * Returns the ETag and caching headers of a response. Caches must revalidate the response for each request and store it separately for
 * each token.
 */
function tagHeaders(response: ServerResponse, { etag, isForOneCaller }: LegacyResponse): OutgoingHttpHeaders {
  if (etag === undefined || isForOneCaller) return etag === undefined ? {} : { ETag: etag };
  const vary = response.getHeader('Vary');
  return {
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    Vary: vary === undefined ? tokenHeaders : `${vary}, ${tokenHeaders}`,
  };
}

/** Sends a response. For a streamed response, resolves after the last chunk, and rejects if the client disconnects. */
export async function respond(response: ServerResponse, legacyResponse: LegacyResponse): Promise<void> {
  const { status, body, chunks, bytes, text, etag } = legacyResponse;
  if (response.writableEnded) return;
  const limitedPieces = chunks && response.req.method !== 'HEAD' ? await acquireList(chunks, response) : null;
  const headers: OutgoingHttpHeaders = { ...deferredHeaders(response), ...tagHeaders(response, legacyResponse) };
  if (etag !== undefined && matchesTag(response.req.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
  } else if (chunks) {
    headers['Content-Type'] = json;
    response.writeHead(status, headers);
    // Reads the next chunk while the client receives the current one.
    if (limitedPieces) await pipeline(Readable.from(limitedPieces, { highWaterMark: 1 }), response);
    else response.end();
  } else if (body === undefined && !bytes && text === undefined) {
    response.writeHead(status, headers).end();
  } else {
    // Node.js sends the headers and a string in one write, but a buffer in a second write.
    const content = bytes ?? text ?? JSON.stringify(body);
    headers['Content-Type'] = json;
    const length = Buffer.byteLength(content);
    headers['Content-Length'] = length;
    // A string with as many bytes as characters is ASCII. For UTF-8, Node.js would reserve three times the memory.
    response.writeHead(status, headers).end(content, length === content.length ? 'latin1' : 'utf8');
  }
}

/** Returns the response for an error (decision 1). */
export const errorResponse = ({ status, message }: HttpError, requestId: number): LegacyResponse => ({
  status,
  body: { Code: status, Message: message, Timestamp: Math.floor(Date.now() / 1000), RequestId: requestId },
});

/** Sends an error response. Temporary errors have the header `Retry-After`. */
export function respondError(response: ServerResponse, httpError: HttpError, requestId: number): Promise<void> {
  if (httpError.retryAfter !== undefined) response.setHeader('Retry-After', Math.ceil(httpError.retryAfter));
  return respond(response, errorResponse(httpError, requestId));
}

/** Whether an error means that the client disconnected. */
export const isClientDisconnect = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
