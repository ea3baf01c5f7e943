import { hash } from 'node:crypto';

/** What content is known by: it is in quotes, and the same for the same content. */
export const tagOf = (content: string | Uint8Array): string => `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;

const strong = (tag: string): string => tag.trim().replace(/^W\//, '');

/**
 * Whether a client has what a tag stands for: `If-None-Match` names it, weakly compared, as RFC 9110 has it, for those who pack an answer on its
 * way weaken its tag. Express asks `Cache-Control` too, with which scripts in pages send each such request: they would never hear of it.
 */
export const isKnown = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((known) => strong(known) === strong(tag)));
