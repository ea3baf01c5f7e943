import ipaddr from 'ipaddr.js';

/**
 * Returns the network of a client: an IPv4 address, or the first 64 bits of an IPv6 address, which identify a subscriber. Returns other text
 * unchanged.
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
