import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { holdList } from '../gateway/run.js';

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

const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

/** Whether `If-None-Match` names a tag. Express asks `Cache-Control` too, with which scripts in pages send each such request. */
const isAmong = (known: string, etag: string): boolean =>
  known.trim() === '*' || known.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);

/** Writes an export. Resolves when it is handed over, also when the client went away. */
export async function give(request: Request, response: Response, { type, file, text, isKept = false }: Exported): Promise<void> {
  if (response.writableEnded) return;
  const isHead = request.method === 'HEAD';
  // Before anything is written: where there is a crowd, one waits for a turn or is told to come later.
  const written = typeof text === 'string' || isHead ? null : await holdList(text, response);
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
    const etag = etagOf(text);
    response.set('ETag', etag);
    const known = request.headers['if-none-match'];
    if (known !== undefined && isAmong(known, etag)) return void response.status(304).end();
  }
  response.set('Content-Length', String(Buffer.byteLength(text))).end(isHead ? undefined : text);
}
