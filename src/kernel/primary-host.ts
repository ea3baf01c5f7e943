import { Socket } from 'node:net';
import pg from 'pg';
import { acceptsWrites } from './accepts-writes-sql.js';
import type { DirectConnection } from './pools.js';

/** Address of a PostgreSQL server. */
interface Host {
  readonly host: string;
  readonly port: number;
}

/** Query parameter that lists the hosts of a URL with several hosts, such as `one:5432,two:5432`. */
const hostsParameter = 'hosts';

/** Matches a URL with several hosts. The groups are the part before the hosts, the hosts, and the rest. */
const severalHosts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*,[^/?#]*)(.*)$/;

/**
 * Converts a URL with several hosts to a URL that contains only the first host, and all hosts in a query parameter. Neither `URL` nor pg
 * supports several hosts. Returns other URLs unchanged.
 */
export function withHostsParameter(url: string): string {
  const [, start, hosts = '', end] = severalHosts.exec(url) ?? [];
  if (start === undefined) return url;
  const converted = URL.parse(`${start}${hosts.split(',')[0]}${end}`);
  converted?.searchParams.set(hostsParameter, hosts);
  return converted?.href ?? url;
}

/** Returns the hosts of a URL. Throws a TypeError if one is invalid. */
export const hostsOf = (url: string): Host[] =>
  (new URL(url).searchParams.get(hostsParameter)?.split(',') ?? []).map((text) => {
    const { hostname, port } = new URL(`postgresql://${text}`);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432) };
  });

const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Returns a message if the hosts of a URL are malformed, or if the URL requires a server that may be read-only. Otherwise null. */
export function hostProblem(url: string): string | null {
  const hosts = severalHosts.exec(url)?.[2]?.split(',') ?? [];
  const malformedHost = hosts.find((host) => !hostPattern.test(host) || !URL.canParse(`postgresql://${host}`));
  if (malformedHost !== undefined)
    return `must have hosts such as one.example:5432,two.example:5432, but has ${JSON.stringify(malformedHost)}`;
  const attributes = /[?&]target_session_attrs=([\w-]*)/.exec(url)?.[1] ?? 'primary';
  return ['primary', 'read-write'].includes(attributes)
    ? null
    : 'must set target_session_attrs to read-write or primary, or omit it, because the service writes to the database';
}

/** Time in milliseconds for which the result of a check is used. New connections within this time share one check. */
const checkLifetime = 1_000;
/** Maximum duration of a check, in milliseconds. */
const checkTimeout = 2_000;

/** Selects the host that accepts writes. A failover changes this host. */
class HostSelector {
  #check: { readonly at: number; readonly host: Promise<Host> } | null = null;

  constructor(
    readonly url: string,
    readonly hosts: readonly Host[],
  ) {}

  /** Returns the host that accepts writes. Rejects if there is none. */
  select(): Promise<Host> {
    if (!this.#check || performance.now() - this.#check.at > checkLifetime) {
      const host = Promise.any(this.hosts.map((each) => this.#checkHost(each)));
      this.#check = { at: performance.now(), host };
      // After a failure, the next connection repeats the check, because a failover can end at any moment.
      host.catch(() => {
        if (this.#check?.host === host) this.#check = null;
      });
    }
    return this.#check.host;
  }

  async #checkHost({ host, port }: Host): Promise<Host> {
    const url = new URL(this.url);
    url.hostname = host.includes(':') ? `[${host}]` : host;
    url.port = String(port);
    const timeouts = { connectionTimeoutMillis: checkTimeout, query_timeout: checkTimeout };
    const client = new pg.Client({ connectionString: url.href, ...timeouts }).on('error', () => undefined);
    try {
      await client.connect();
      if (!(await acceptsWrites(client))) throw new Error(`${host}:${port} is read-only`);
      return { host, port };
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}

const selectors = new Map<string, HostSelector>();

function selectorFor(url: string): HostSelector {
  const selector = selectors.get(url) ?? new HostSelector(url, hostsOf(url));
  selectors.set(url, selector);
  return selector;
}

/** Returns the host that accepts writes. Null for a URL without several hosts. Rejects if no host accepts writes. */
export const primaryHostOf = async (url: string): Promise<Host | null> =>
  hostsOf(url).length > 0 ? selectorFor(url).select() : null;

/** Socket that connects to the host that accepts writes, instead of the requested host. */
class PrimarySocket extends Socket {
  constructor(readonly selector: HostSelector) {
    super();
  }

  override connect(): this {
    this.selector.select().then(
      ({ host, port }) => this.destroyed || super.connect(port, host),
      (error: AggregateError) =>
        this.destroy(
          Object.assign(new Error(error.errors.map(({ message }: Error) => message).join(', ')), { code: 'ECONNREFUSED' }),
        ),
    );
    return this;
  }
}

/** Returns the pg options for a URL. If the URL has several hosts, connections go to the host that accepts writes. */
export const connectionOptions = (url: string): DirectConnection => ({
  connectionString: url,
  stream: URL.parse(url)?.searchParams.has(hostsParameter) ? () => new PrimarySocket(selectorFor(url)) : undefined,
});
