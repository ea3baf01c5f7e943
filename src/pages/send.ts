import type { Request, Response } from 'express';
import { entityTagOf, matchesTag } from '../graphql/http/entity-tag.js';

/** Sends a page that browsers can cache. They revalidate it by its ETag on each request. */
export function sendCacheable({ headers }: Request, response: Response, text: string, type: 'html' | 'json' = 'html'): void {
  // The tag is weak because the response may be compressed.
  const tag = `W/${entityTagOf(text)}`;
  response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
  if (matchesTag(headers['if-none-match'], tag)) response.status(304).end();
  else response.type(type).send(text);
}
