import { isIP } from 'node:net';
import type { RequestHandler } from 'express';

const hostnameOf = (host: string | undefined): string => URL.parse(`http://${host ?? ''}`)?.hostname ?? '';

const isLocal = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/**
 * Rejects page requests unless the `Host` header is `localhost`, an IP address or the host of PUBLIC_URL. Pages need no token. Without this
 * check, an attacker could resolve a domain to this machine and read pages in the browser of a visitor (DNS rebinding).
 */
export function checkHost(publicUrl: string | null): RequestHandler {
  const publicHost = publicUrl === null ? null : hostnameOf(new URL(publicUrl).host);
  return ({ headers: { host } }, response, next) => {
    const hostname = hostnameOf(host);
    if (isLocal(hostname) || hostname === publicHost) return next();
    const message = 'Host: expected localhost, an IP address or the host of PUBLIC_URL';
    response.status(403).json({ errors: [{ message, extensions: { code: 'FORBIDDEN' } }] });
  };
}
