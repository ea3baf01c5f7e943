import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import { headersOf } from './headers.js';
import { heldHeaders, hold, release } from './held-headers.js';
import { consistencyHeader } from './read-your-writes/index.js';

type Step = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** What publishable keys say of the origins of pages. */
export interface KeyOrigins {
  /** Whether pages of the request's origin may read its answer; null where it names no key, or none that is known. */
  opensTo(header: (name: string) => string | undefined): Promise<boolean | null> | null;
  /** Whether there is a key for pages of an origin. */
  isOriginOfKey(origin: string): Promise<boolean>;
}

const shared = {
  maxAge: 86_400,
  exposedHeaders: [
    'ETag',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
    'X-Request-Id',
    'Idempotent-Replayed',
    'Link',
    'Deprecation',
    'Sunset',
    'Sunset-Rehearsal',
    consistencyHeader,
  ],
};

const unkept = { 'Cache-Control': 'no-store' };

/** Whether pages of the origin that a request names may read what a socket tells, by the same rules: browsers have none for sockets. */
export async function mayBeRead(
  keys: KeyOrigins,
  lists: ((origin: string) => boolean) | null,
  header: (name: string) => string | undefined,
): Promise<boolean> {
  const origin = header('origin');
  return origin === undefined || ((await keys.opensTo(header)) ?? (lists === null || lists(origin)));
}

/**
 * Which pages may read answers (CORS). No request is made with cookies or anything else that a browser adds by itself, so that a page of
 * another origin can do no more than a server of its owner could: who has no token gets nothing, and who has one needs no browser. Credentials
 * are therefore never allowed, and requests without a publishable key are answered to everybody unless the operator lists origins (`lists`;
 * null where all may read). A key is no secret, it stands in pages; with one, only pages of its own origins may read the answer.
 *
 * A preflight carries no key, so it cannot be answered by one. Where all may read, it is let pass with whatever headers it asks for: to let pass
 * those only that stand on some key's list would need a look into the database, and keep nobody out, since the request behind it is refused by
 * its own key before anything is done. Where there is a list, that look is taken for origins that are not on it.
 *
 * Nothing keeps an answer unless it says otherwise further on: most of them are for one caller.
 */
export function crossOrigin(keys: KeyOrigins, lists: ((origin: string) => boolean) | null): Step {
  const preflight = cors<IncomingMessage>(shared);
  const open = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': shared.exposedHeaders.join() };
  const toEverybody: Step = (request, response, next) => {
    if (request.method === 'OPTIONS') {
      release(response);
      return preflight(request, response, next);
    }
    hold(response, open);
    next();
  };
  const mayRead = async (origin: string, byKey: Promise<boolean | null> | null, isPreflight: boolean): Promise<boolean> =>
    (await byKey) ?? (lists === null || lists(origin) || (isPreflight && (await keys.isOriginOfKey(origin))));

  return (request, response, next) => {
    const { origin } = request.headers;
    hold(response, unkept);
    const byKey = origin === undefined ? null : keys.opensTo(headersOf(request.headers));
    if (lists === null && byKey === null) {
      toEverybody(request, response, next);
      return;
    }
    response.setHeader('Vary', 'Origin');
    if (origin === undefined) return next();
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    mayRead(origin, byKey, isPreflight).then(
      (isOpen) => {
        if (isOpen) {
          release(response);
          cors<IncomingMessage>({ ...shared, origin })(request, response, next);
        } else if (isPreflight) response.writeHead(204, heldHeaders(response)).end();
        else next();
      },
      // Whatever kept it from being judged keeps the request from being answered, too.
      () => next(),
    );
  };
}
