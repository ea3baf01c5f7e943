import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { reject } from '../../../kernel/declare/errors.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = [Address, number];

/** Where deliveries may go beyond public addresses, and whether they have to be encrypted on their way there. */
export interface Reach {
  /** Networks that are allowed, whatever they are. */
  readonly networks: readonly string[];
  readonly isProduction: boolean;
}

/** Gives all addresses of a host. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** What the library takes for public and is not: benchmarks, the wire server of a cloud; and of the newer protocol all but what is given to users. */
const refused4 = ['198.18.0.0/15', '168.63.129.16/32'].map((text) => ipaddr.parseCIDR(text) as [ipaddr.IPv4, number]);
const public6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
const refused6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(
  (text) => ipaddr.parseCIDR(text) as [ipaddr.IPv6, number],
);

/** A network as it is written in settings: an address alone is one of that address. */
export function allowedNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

const isWithin = (address: Address, [network, bits]: Network): boolean => {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
};

/** Whether an address is one that everybody on the internet reaches. */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !refused4.some((network) => address.match(network));
  // Those that hold another one within them are refused, whatever that is.
  return address.range() === 'unicast' && address.match(public6) && !refused6.some((network) => address.match(network));
}

/** Whether an address is in one of the networks that are allowed. */
const isAllowed = (text: string, { networks }: Reach): boolean =>
  ipaddr.isValid(text) && networks.some((network) => isWithin(ipaddr.process(text), allowedNetwork(network)));

/** The longest that one waits for the addresses of a host, in milliseconds. */
const patience = 5_000;

const resolveHost: ResolveHost = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Where a receiver is not, in words; nobody is told to which addresses a name leads. */
export class Unreachable extends Error {}

const privately = 'it leads to an address that is not public, and that WEBHOOK_NETWORKS does not name';

/**
 * The addresses of a receiver, each of which has been looked at: deliveries go there and nowhere else. Throws where one of them is not to be
 * reached, where there is none, and where it would be reached without encryption.
 */
export async function addressesOf(url: URL, reach: Reach, resolve: ResolveHost = resolveHost): Promise<readonly string[]> {
  const host = hostOf(url);
  const end = new AbortController();
  const late = sleep(patience, null, { signal: end.signal }).catch(() => null);
  const found = ipaddr.isValid(host) ? [host] : await Promise.race([resolve(host).catch(() => []), late]);
  end.abort();
  if (!found?.length) throw new Unreachable('its host is not known');
  const isWithinReach = found.every((address) => isAllowed(address, reach));
  if (!isWithinReach && !found.every((address) => isPublic(address) || isAllowed(address, reach)))
    throw new Unreachable(privately);
  if (reach.isProduction && url.protocol === 'http:' && !isWithinReach) throw new Unreachable('it has to begin with https');
  return found;
}

const goodPort = (port: string): boolean => ['', '80', '443'].includes(port) || (Number(port) >= 1024 && Number(port) <= 65_535);

/** The address of a receiver; BAD_INPUT on `url` for what nothing is sent to. */
export async function checkReceiver(text: string, reach: Reach, resolve?: ResolveHost): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || text.length > 2000 || /[^!-~]/.test(text))
    return reject('url', 'an address with https, such as https://www.example.com/webhooks');
  if (url.username || url.password) reject('url', 'an address without a name and a password in it: deliveries are signed');
  if (!goodPort(url.port)) reject('url', 'port 80, 443, or one from 1024 on');
  await addressesOf(url, reach, resolve).catch((error: unknown) => {
    if (error instanceof Unreachable) reject('url', `an address that can be sent to: ${error.message}`);
    throw error;
  });
}
