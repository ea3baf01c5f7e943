import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { type Code, statuses } from '../kernel/declare/errors.js';

/** Header in which a router proves that it is one. */
export const routerHeader = 'router-secret';

const digest = (text: string) => createHash('sha256').update(text).digest();

const credentials = [routerHeader, 'authorization', 'pb-api-token', 'pb-user-token'];

/**
 * Lets routers pass and nobody else, whatever is asked: tokens are those of the clients whom a router asks for, and would lead these around
 * it. Nothing of the request is read before.
 */
export function routersOnly(secrets: readonly string[]): RequestHandler {
  const known = secrets.map(digest);
  const opens = (sent: string): boolean => {
    const given = digest(sent);
    return known.filter((secret) => timingSafeEqual(secret, given)).length > 0;
  };
  return ({ headers }, response, next) => {
    const sent = headers[routerHeader];
    if (typeof sent === 'string' && opens(sent)) {
      next();
      return;
    }
    const code: Code = credentials.some((name) => headers[name] !== undefined) ? 'FORBIDDEN' : 'UNAUTHENTICATED';
    const message = `only for routers: the header ${routerHeader} is missing or wrong`;
    response.status(statuses[code]).json({ errors: [{ message, extensions: { code } }] });
  };
}
