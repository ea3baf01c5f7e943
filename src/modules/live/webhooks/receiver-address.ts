import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { reject } from '../../../kernel/declare/errors.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Rules for the addresses of receivers. */
export interface ReceiverPolicy {
  /** Allowed networks in CIDR notation. They can be private. */
  readonly networks: readonly string[];
  /** Whether the service runs in production. In production, receivers outside the allowed networks must use HTTPS. */
  readonly isProduction: boolean;
}

/** Resolves all IP addresses of a host. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Networks that ipaddr.js wrongly classifies as public, such as benchmark networks and the Azure wire server. */
const blockedIpv4 = ['198.18.0.0/15', '168.63.129.16/32'].map((text) => ipaddr.parseCIDR(text) as [ipaddr.IPv4, number]);
const globalIpv6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
const blockedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(
  (text) => ipaddr.parseCIDR(text) as [ipaddr.IPv6, number],
);

/** Parses a network in CIDR notation, or a single IP address. */
function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

const isWithin = (address: Address, [network, bits]: Network): boolean => {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
};

/** Whether an IP address is reachable from the public internet. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4)
    return address.range() === 'unicast' && !blockedIpv4.some((network) => address.match(network));
  // Blocks all IPv6 addresses that embed an IPv4 address, even a public one.
  return address.range() === 'unicast' && address.match(globalIpv6) && !blockedIpv6.some((network) => address.match(network));
}

/** Whether an IP address is in one of the allowed networks. */
const isAllowed = (text: string, { networks }: ReceiverPolicy): boolean =>
  ipaddr.isValid(text) && networks.some((network) => isWithin(ipaddr.process(text), parseNetwork(network)));

/** Timeout of the DNS lookup in milliseconds. */
const lookupTimeout = 5_000;

const resolveHost: ResolveHost = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Error for a receiver that deliveries must not be sent to. The message contains no IP addresses. */
export class InvalidReceiver extends Error {}

const privateAddressMessage = 'its host has an IP address that is neither public nor in WEBHOOK_NETWORKS';

/**
 * Resolves and checks all IP addresses of a receiver. Throws if the host has no address, if one of its addresses is not allowed, or if
 * HTTPS is required.
 */
export async function resolveReceiver(
  url: URL,
  policy: ReceiverPolicy,
  resolve: ResolveHost = resolveHost,
): Promise<readonly string[]> {
  const host = hostOf(url);
  const lookupAbort = new AbortController();
  const timeout = sleep(lookupTimeout, null, { signal: lookupAbort.signal }).catch(() => null);
  const addresses = ipaddr.isValid(host) ? [host] : await Promise.race([resolve(host).catch(() => []), timeout]);
  lookupAbort.abort();
  if (!addresses?.length) throw new InvalidReceiver('its host is unknown');
  const isAllAllowed = addresses.every((address) => isAllowed(address, policy));
  if (!isAllAllowed && !addresses.every((address) => isPublicAddress(address) || isAllowed(address, policy)))
    throw new InvalidReceiver(privateAddressMessage);
  if (policy.isProduction && url.protocol === 'http:' && !isAllAllowed) throw new InvalidReceiver('it must start with https://');
  return addresses;
}

const isValidPort = (port: string): boolean =>
  ['', '80', '443'].includes(port) || (Number(port) >= 1024 && Number(port) <= 65_535);

/** Rejects URLs that deliveries cannot be sent to. */
export async function checkReceiver(text: string, policy: ReceiverPolicy, resolve?: ResolveHost): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || text.length > 2000 || /[^!-~]/.test(text))
    return reject('url', 'an HTTPS URL such as https://www.example.com/webhooks');
  if (url.username || url.password)
    reject('url', 'a URL without a user name and password: verify the signature of deliveries instead');
  if (!isValidPort(url.port)) reject('url', 'port 80, 443, or 1024 to 65535');
  await resolveReceiver(url, policy, resolve).catch((error: unknown) => {
    if (error instanceof InvalidReceiver) reject('url', `the URL of a receiver that can be reached: ${error.message}`);
    throw error;
  });
}
