import { hash } from 'node:crypto';

/** Returns the entity tag of a response body, in quotes. Equal bodies have equal tags. */
export const entityTagOf = (content: string | Uint8Array): string => `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;

const withoutWeakPrefix = (tag: string): string => tag.trim().replace(/^W\//, '');

/**
 * Whether an `If-None-Match` header contains a tag. Uses weak comparison (RFC 9110), because proxies weaken tags when they compress
 * responses. Unlike Express, this function ignores `Cache-Control: no-cache`, which browsers add to every conditional request from a
 * script.
 */
export const matchesTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((candidate) => withoutWeakPrefix(candidate) === withoutWeakPrefix(tag)));
