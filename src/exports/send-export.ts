import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import {
  acquireList,
  entityTagOf,
  matchesTag,
  recordUnavailability,
  requestFactsOf,
  requestIdOf,
  unexpectedErrorFields,
} from '../graphql/run.js';
import { codeOf, statuses } from '../kernel/declare/errors.js';

/** Content and metadata of an export. */
export interface ExportContent {
  readonly type: string;
  /** File name for downloads: ASCII letters, digits, dots and hyphens. */
  readonly fileName: string;
  /** The whole text, or a stream of its parts. */
  readonly text: string | AsyncIterable<string>;
  /** Whether clients may cache the text and revalidate it by its ETag. False for personal data. */
  readonly isCacheable?: boolean;
}

/** Sends an export. Resolves when the response is complete or the client has disconnected. */
export async function sendExport(
  request: Request,
  response: Response,
  { type, fileName, text, isCacheable = false }: ExportContent,
): Promise<void> {
  if (response.writableEnded) return;
  const isHead = request.method === 'HEAD';
  // Waits for capacity before the first byte is sent, so that the response can be 503 under overload.
  const stream = typeof text === 'string' || isHead ? null : await acquireList(text, response);
  response.set({
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': isCacheable ? 'private, no-cache' : 'no-store',
  });
  response.vary('PB-API-TOKEN, PB-USER-TOKEN, Authorization');
  if (typeof text !== 'string') {
    if (stream) await pipeline(Readable.from(stream, { highWaterMark: 1 }), response);
    else response.end();
    return;
  }
  if (isCacheable) {
    const tag = entityTagOf(text);
    response.set('ETag', tag);
    if (matchesTag(request.headers['if-none-match'], tag)) return void response.status(304).end();
  }
  response.set('Content-Length', String(Buffer.byteLength(text))).end(isHead ? undefined : text);
}

const defaultRetryAfter: Readonly<Record<number, number>> = { [statuses.RATE_LIMITED]: 60, [statuses.UNAVAILABLE]: 5 };

/** Whether Express failed to decode the path. */
const isMalformedPath = (error: unknown): boolean =>
  error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400);

/** Whether a write failed because the client disconnected. */
const isClientDisconnect = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends an error in the same format as the GraphQL API: code, message and parameter. Logs unknown errors and hides their details from the
 * client.
 */
export function sendExportError(response: Response, error: unknown, log: Logger): void {
  // The request has timed out, and the timeout error was already sent.
  if (response.writableEnded) return;
  // A partly sent response can only be aborted.
  if (response.headersSent) return void response.destroy();
  const code = isMalformedPath(error) ? 'BAD_INPUT' : (codeOf(error) ?? 'INTERNAL');
  // Errors with the code INTERNAL were logged when they were masked.
  if (code === 'INTERNAL' && codeOf(error) === null && !isClientDisconnect(error)) {
    log.error(
      { ...unexpectedErrorFields(error), requestId: requestIdOf(response), route: requestFactsOf(response)?.route },
      'unexpected error',
    );
  }
  const status = statuses[code];
  if (code === 'UNAVAILABLE' && error instanceof Error) recordUnavailability(error, requestFactsOf(response));
  const publicError = error instanceof GraphQLError && code !== 'INTERNAL' ? error : null;
  const message = publicError?.message ?? (code === 'BAD_INPUT' ? 'path: expected valid percent-encoding' : 'internal error');
  const { retryAfter } = publicError?.extensions ?? {};
  const retryAfterSeconds = typeof retryAfter === 'number' ? retryAfter : defaultRetryAfter[status];
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
  response.removeHeader('Content-Disposition');
  response
    .set('Cache-Control', 'no-store')
    .status(status)
    .json({ errors: [{ message, extensions: { ...publicError?.extensions, code } }] });
}
