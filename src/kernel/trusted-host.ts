import { isIP } from 'node:net';

/** A host name or an IP address, with an optional port. The URL parser also accepts user names, paths and fragments. */
const hostForm = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

const hostnameOf = (host: string): string => (hostForm.test(host) ? (URL.parse(`http://${host}`)?.hostname ?? '') : '');

const isLocal = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/**
 * Whether a `Host` header names localhost, an IP address or the host of PUBLIC_URL. Attackers do not control these names, so a request with
 * one of them does not result from DNS rebinding.
 */
export function isTrustedHost(host: string | undefined, publicUrl: string | null): boolean {
  const hostname = hostnameOf(host ?? '');
  return isLocal(hostname) || (publicUrl !== null && hostname === new URL(publicUrl).hostname);
}
