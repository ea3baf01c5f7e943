import ipaddr from 'ipaddr.js';

/** Network of a client: the IPv4 address, or the first 64 bits of an IPv6 address, which belong to one subscriber. Returns other texts unchanged. */
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
