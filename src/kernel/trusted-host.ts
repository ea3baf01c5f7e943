import { isIP } from 'node:net';

/** Host name or IP address, with an optional port. The URL parser also accepts user names, paths and fragments. */
const hostPattern = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

const hostnameOf = (host: string): string => (hostPattern.test(host) ? (URL.parse(`http://${host}`)?.hostname ?? '') : '');

const isLocal = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** Whether a `Host` header is localhost, an IP address or the host of PUBLIC_URL. DNS rebinding requires a host name that the attacker controls. */
export function isTrustedHost(host: string | undefined, publicUrl: string | null): boolean {
  const hostname = hostnameOf(host ?? '');
  return isLocal(hostname) || (publicUrl !== null && hostname === new URL(publicUrl).hostname);
}
