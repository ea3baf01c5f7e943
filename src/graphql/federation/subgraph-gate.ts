import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { type Code, statuses } from '../../kernel/declare/errors.js';

/** Header that contains the secret shared with the routers. */
export const routerHeader = 'router-secret';

const digest = (text: string) => createHash('sha256').update(text).digest();

const credentials = [routerHeader, 'authorization', 'pb-api-token', 'pb-user-token'];

/**
 * Middleware that refuses requests without a valid router secret. Tokens of users and platforms are not sufficient, because clients could
 * use them to bypass the router.
 */
export function requireRouterSecret(secrets: readonly string[]): RequestHandler {
  const secretDigests = secrets.map(digest);
  const isValidSecret = (value: string): boolean => {
    const valueDigest = digest(value);
    return secretDigests.filter((secret) => timingSafeEqual(secret, valueDigest)).length > 0;
  };
  return ({ headers }, response, next) => {
    const value = headers[routerHeader];
    if (typeof value === 'string' && isValidSecret(value)) {
      next();
      return;
    }
    const code: Code = credentials.some((name) => headers[name] !== undefined) ? 'FORBIDDEN' : 'UNAUTHENTICATED';
    const message = `only for routers: the header ${routerHeader} is missing or wrong`;
    response.status(statuses[code]).json({ errors: [{ message, extensions: { code } }] });
  };
}
