import type { RequestHandler } from 'express';
import { isTrustedHost } from '../kernel/trusted-host.js';

/**
 * Rejects page requests unless the `Host` header is `localhost`, an IP address or the host of PUBLIC_URL. Pages need no token. Without this
 * check, an attacker could resolve a domain to this machine and read pages in the browser of a visitor (DNS rebinding).
 */
export function checkHost(publicUrl: string | null): RequestHandler {
  return ({ headers: { host } }, response, next) => {
    if (isTrustedHost(host, publicUrl)) return next();
    const message = 'Host: expected localhost, an IP address or the host of PUBLIC_URL';
    response.status(403).json({ errors: [{ message, extensions: { code: 'FORBIDDEN' } }] });
  };
}
