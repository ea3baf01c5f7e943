import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { acquireList, matchesTag, tagOf } from '../graphql/run.js';

/** An export to send. */
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
  // Runs before the first byte is sent, because a list fails with 503 under overload.
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
    const tag = tagOf(text);
    response.set('ETag', tag);
    if (matchesTag(request.headers['if-none-match'], tag)) return void response.status(304).end();
  }
  response.set('Content-Length', String(Buffer.byteLength(text))).end(isHead ? undefined : text);
}
