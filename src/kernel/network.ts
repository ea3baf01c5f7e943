import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the network of a client: its IPv4 address, or the first 64 bits of its IPv6 address. A client can change the other bits of an
 * IPv6 address. Returns other text unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}

/** Host name or IP address, with an optional port. The URL parser also accepts user names, paths and fragments. */
const hostPattern = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

const hostnameOf = (host: string): string => (hostPattern.test(host) ? (URL.parse(`http://${host}`)?.hostname ?? '') : '');

const isLocal = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/**
 * Whether a `Host` header is localhost, an IP address or the host of PUBLIC_URL. DNS rebinding attacks require a host name that the
 * attacker controls.
 */
export function isTrustedHost(host: string | undefined, publicUrl: string | null): boolean {
  const hostname = hostnameOf(host ?? '');
  return isLocal(hostname) || (publicUrl !== null && hostname === new URL(publicUrl).hostname);
}
