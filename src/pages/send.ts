import type { Request, Response } from 'express';
import { isKnown, tagOf } from '../gateway/entity-tag.js';

/** Sends a page that browsers may keep, and ask each time whether it is still the same. */
export function sendKept({ headers }: Request, response: Response, text: string, type: 'html' | 'json' = 'html'): void {
  // Weak, for it may be packed on its way.
  const tag = `W/${tagOf(text)}`;
  response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
  if (isKnown(headers['if-none-match'], tag)) response.status(304).end();
  else response.type(type).send(text);
}
