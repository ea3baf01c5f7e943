import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/** Sends a page that browsers may keep, and ask each time whether it is still the same. */
export function sendKept({ headers }: Request, response: Response, text: string, type: 'html' | 'json' = 'html'): void {
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
  // Express would look at `Cache-Control`, too, with which scripts send each such request.
  if (headers['if-none-match']?.split(/,\s*/).includes(tag)) response.status(304).end();
  else response.type(type).send(text);
}
