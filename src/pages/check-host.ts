import type { RequestHandler } from 'express';
import { isTrustedHost } from '../kernel/trusted-host.js';

/**
 * Rejects requests for pages and documents unless the `Host` header is `localhost`, an IP address or the host of PUBLIC_URL. They need no token.
 * Without this check, an attacker could resolve a domain to this machine and read them in the browser of a visitor (DNS rebinding).
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
