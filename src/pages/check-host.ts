import type { RequestHandler } from 'express';
import { isTrustedHost } from '../kernel/network.js';

/**
 * Protects pages and documents against DNS rebinding, because they require no token. Rejects requests unless the `Host` header is
 * `localhost`, an IP address or the host of PUBLIC_URL.
 */
export function checkHost(publicUrl: string | null): RequestHandler {
  return ({ headers: { host }, originalUrl }, response, next) => {
    // The host of an absolute request target takes precedence over the header (RFC 9112).
    const target = originalUrl.startsWith('/') ? host : URL.parse(originalUrl)?.host;
    if (isTrustedHost(host, publicUrl) && isTrustedHost(target, publicUrl)) return next();
    const message = 'Host: expected localhost, an IP address or the host of PUBLIC_URL';
    response.status(403).json({ errors: [{ message, extensions: { code: 'FORBIDDEN' } }] });
  };
}
