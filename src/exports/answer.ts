import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { acquireList, isKnown, tagOf } from '../gateway/run.js';

/** What an export answers. */
export interface Exported {
  readonly type: string;
  /** Under which name browsers keep it: letters, digits, points and hyphens of ASCII. */
  readonly file: string;
  /** The whole text, or the pieces in which it leaves. */
  readonly text: string | AsyncIterable<string>;
  /** A whole text that clients may keep, and ask with its ETag whether it is still the same. What is somebody's own is kept nowhere. */
  readonly isKept?: boolean;
}

/** Writes an export. Resolves when it is handed over, also when the client went away. */
export async function give(request: Request, response: Response, { type, file, text, isKept = false }: Exported): Promise<void> {
  if (response.writableEnded) return;
  const isHead = request.method === 'HEAD';
  // Before anything is written: where there is a crowd, one waits for a turn or is told to come later.
  const written = typeof text === 'string' || isHead ? null : await acquireList(text, response);
  response.set({
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${file}"`,
    'Cache-Control': isKept ? 'private, no-cache' : 'no-store',
  });
  response.vary('PB-API-TOKEN, PB-USER-TOKEN, Authorization');
  if (typeof text !== 'string') {
    if (written) await pipeline(Readable.from(written, { highWaterMark: 1 }), response);
    else response.end();
    return;
  }
  if (isKept) {
    const tag = tagOf(text);
    response.set('ETag', tag);
    if (isKnown(request.headers['if-none-match'], tag)) return void response.status(304).end();
  }
  response.set('Content-Length', String(Buffer.byteLength(text))).end(isHead ? undefined : text);
}
