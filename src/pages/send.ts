import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/** Sends a page that browsers may keep, and ask each time whether it is still the same. */
export function sendKept(request: Request, response: Response, markup: string): void {
  const tag = createHash('sha256').update(markup).digest('base64url').slice(0, 22);
  response.set({ ETag: `W/"${tag}"`, 'Cache-Control': 'private, no-cache' });
  if (request.fresh) response.status(304).end();
  else response.type('html').send(markup);
}
