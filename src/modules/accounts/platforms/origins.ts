import type { TextFormat } from '../../../kernel/declare/meta.js';

/**
 * Whether a string is an HTTP or HTTPS origin as browsers send it: with the host in lower case and without a default port. Rejects `*`,
 * which `URL` accepts in hosts.
 */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** Whether a string is `http://localhost:*` or `https://localhost:*`, which allow all ports of a development machine. */
const isAnyLocalPort = (text: string): boolean => /^https?:\/\/localhost:\*$/.test(text);

/** Origin format for pages that links in emails may point to. */
export const linkOrigin: TextFormat = { matches: isOrigin, expected: 'an origin such as https://www.example.com' };

/** Origin format for pages that may use a publishable key. */
export const keyOrigin: TextFormat = {
  matches: (text) => isOrigin(text) || isAnyLocalPort(text),
  expected: 'an origin such as https://www.example.com or http://localhost:3000, without a path, or http://localhost:*',
};

/** Returns the list entries that allow an origin: the origin itself and, for localhost, the pattern for all ports. */
export function originPatterns(origin: string): string[] {
  const anyPort = `${origin.replace(/:\d{1,5}$/, '')}:*`;
  return isAnyLocalPort(anyPort) ? [origin, anyPort] : [origin];
}

/** Whether a list of origins allows an origin. */
export const allowsOrigin = (allowedOrigins: readonly string[], origin: string): boolean =>
  originPatterns(origin).some((pattern) => allowedOrigins.includes(pattern));
