import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import { consistencyHeader } from '../read-your-writes/index.js';
import { headerReaderOf } from './request-headers.js';
import { deferHeaders, deferredHeaders, flushHeaders } from './response-headers.js';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Checks origins against the allowed origins of publishable keys. */
interface KeyOrigins {
  /** Whether the publishable key of a request allows its origin. Null if the request has no key, or the key is unknown. */
  allowsOrigin(header: (name: string) => string | undefined): Promise<boolean | null> | null;
  /** Whether any publishable key allows the origin. */
  isOriginOfKey(origin: string): Promise<boolean>;
}

const sharedOptions = {
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

const noStore = { 'Cache-Control': 'no-store' };

/** Whether a page from the request's origin may read the messages of a WebSocket. Browsers do not apply CORS to WebSockets. */
export async function canReadOverSocket(
  keys: KeyOrigins,
  isAllowedOrigin: ((origin: string) => boolean) | null,
  header: (name: string) => string | undefined,
): Promise<boolean> {
  const origin = header('origin');
  return origin === undefined || ((await keys.allowsOrigin(header)) ?? (isAllowedOrigin === null || isAllowedOrigin(origin)));
}

/**
 * CORS middleware. Every origin may read responses, unless `isAllowedOrigin` restricts origins or the request has a publishable
 * key. With a key, only the origins of that key may read the response. Credentials are never allowed. Requests do not use cookies,
 * so a page can do no more than a server with the same token.
 *
 * Preflights have no key. If all origins may read responses, every preflight passes, and the key of the following request is checked. If
 * origins are restricted, a preflight also passes if any key allows its origin.
 *
 * Sets `Cache-Control: no-store` by default, because most responses are for one caller only.
 */
export function crossOrigin(keys: KeyOrigins, isAllowedOrigin: ((origin: string) => boolean) | null): Middleware {
  const preflight = cors<IncomingMessage>(sharedOptions);
  const openHeaders = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': sharedOptions.exposedHeaders.join(),
  };
  const allowAll: Middleware = (request, response, next) => {
    if (request.method === 'OPTIONS') {
      flushHeaders(response);
      return preflight(request, response, next);
    }
    deferHeaders(response, openHeaders);
    next();
  };
  const canRead = async (origin: string, keyDecision: Promise<boolean | null> | null, isPreflight: boolean): Promise<boolean> =>
    (await keyDecision) ??
    (isAllowedOrigin === null || isAllowedOrigin(origin) || (isPreflight && (await keys.isOriginOfKey(origin))));

  return (request, response, next) => {
    // The request has timed out.
    if (response.headersSent) return;
    const { origin } = request.headers;
    deferHeaders(response, noStore);
    const keyDecision = origin === undefined ? null : keys.allowsOrigin(headerReaderOf(request.headers));
    if (isAllowedOrigin === null && keyDecision === null) {
      allowAll(request, response, next);
      return;
    }
    response.setHeader('Vary', 'Origin');
    if (origin === undefined) return next();
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    // If the origin cannot be checked, the request itself fails for the same reason and reports the error.
    const decision = canRead(origin, keyDecision, isPreflight).catch(() => null);
    void decision.then((isAllowed) => {
      if (response.headersSent) return;
      if (isAllowed) {
        flushHeaders(response);
        cors<IncomingMessage>({ ...sharedOptions, origin })(request, response, next);
      } else if (isAllowed === false && isPreflight) response.writeHead(204, deferredHeaders(response)).end();
      else next();
    });
  };
}
