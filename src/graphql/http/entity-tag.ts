import { hash } from 'node:crypto';

/** Entity tag of a response body, with quotes. Equal bodies have equal tags. */
export const tagOf = (content: string | Uint8Array): string => `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;

const withoutWeakPrefix = (tag: string): string => tag.trim().replace(/^W\//, '');

/**
 * Whether `If-None-Match` contains a tag, with weak comparison (RFC 9110), because proxies weaken tags when they compress
 * responses. Unlike Express, this ignores `Cache-Control: no-cache`, which scripts in pages send with every such request.
 */
export const matchesTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((candidate) => withoutWeakPrefix(candidate) === withoutWeakPrefix(tag)));
