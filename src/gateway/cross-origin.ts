import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import { headersOf } from './headers.js';
import { consistencyHeader } from './read-your-writes/index.js';

/** Whether pages of the request's origin may read its answer; null where nothing in the request restricts that. */
export type OpensTo = (header: (name: string) => string | undefined) => Promise<boolean> | null;

const shared = {
  maxAge: 86_400,
  exposedHeaders: ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id', 'Idempotent-Replayed', consistencyHeader],
};

/**
 * Which pages may read answers (CORS). No request is made with cookies or anything else that a browser adds by itself, so that a page of
 * another origin can do no more than a server of its owner could: who has no token gets nothing, and who has one needs no browser.
 * Requests without a publishable key are therefore answered to everybody, as they always were. A key is no secret, it stands in pages;
 * with one, only pages of its own origins may read the answer.
 *
 * A preflight carries no key, so it cannot be answered by one; that of every origin is let pass, with whatever headers it asks for. To
 * let pass those only that stand on some key's list would need a look into the database, and tell whoever asks who the customers are,
 * without keeping anybody out: the request behind it is refused by its own key, before anything is done, and its answer cannot be read.
 */
export function crossOrigin(opensTo: OpensTo): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  const preflight = cors<IncomingMessage>(shared);
  const exposed = shared.exposedHeaders.join();
  const toEverybody: typeof preflight = (request, response, next) => {
    if (request.method === 'OPTIONS') return preflight(request, response, next);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', exposed);
    next();
  };
  return (request, response, next) => {
    const { origin } = request.headers;
    const judged = origin === undefined ? null : opensTo(headersOf(request.headers));
    if (origin === undefined || judged === null) {
      toEverybody(request, response, next);
      return;
    }
    response.setHeader('Vary', 'Origin');
    judged.then(
      (isOpen) => (isOpen ? cors<IncomingMessage>({ ...shared, origin })(request, response, next) : next()),
      // Whatever kept it from being judged keeps the request from being answered, too.
      () => next(),
    );
  };
}
