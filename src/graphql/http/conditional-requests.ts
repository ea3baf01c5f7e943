import { channel } from 'node:diagnostics_channel';
import { createCache } from '../../kernel/caches.js';
import type { Freshness, LogMoment } from '../../kernel/changes/index.js';
import type { Client } from '../../kernel/declare/context.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { Counts } from '../../kernel/monitoring/counts.js';
import type { RequestFacts } from '../../kernel/monitoring/request-facts.js';
import type { Pools } from '../../kernel/pools.js';
import { cacheVersion } from '../../kernel/read/cache-version-sql.js';
import { ResponseSources } from '../../kernel/response-sources.js';
import type { Resources } from '../context.js';
import { consistencyHeader } from '../read-your-writes/index.js';
import { matchesTag } from './entity-tag.js';

/**
 * Entity tag of a response, and the types of the records that the response was built from. The tag is valid until a row of these records
 * changes.
 */
interface CachedTag {
  readonly tag: string;
  readonly records: readonly string[];
  readonly version: string | null;
  readonly since: LogMoment;
}

/**
 * Diagnostics channel that reports, for each response, the records that it depends on, or the reason why it cannot be cached.
 */
const evaluations = channel('courtside:poll');

/**
 * Number of conditional requests, by result. `hit`: 304 without running the query. `stale`: data in the response has changed. `miss`: there
 * is no entry for the caller and URL with the tag of the client. `uncached`: the process was not reading the change log yet.
 */
export const conditionalRequestCounts = new Counts(['hit', 'stale', 'miss', 'uncached']);

const cacheDescription = {
  name: 'ETags of `/v1` responses, keyed by caller and URL',
  limit: '10,000, and 8 MB of text',
  validity: 'a record of the response changes, which every request checks on the primary',
};

/** Returns the cache key for a caller. It contains all properties of the caller that can affect a response. */
const callerKeyOf = ({ platform, key, user }: Caller): string =>
  JSON.stringify([
    platform && [platform.id, platform.name],
    key && [key.id, key.platformId],
    user && [user.id, user.name, user.isSuperAdmin, ...[...user.roles].sort()],
  ]);

/** Client that records when a response depends on request data other than the caller and the URL. */
class TrackingClient implements Client {
  constructor(
    private readonly client: Client,
    readonly sources: ResponseSources,
  ) {}

  get address(): string {
    this.sources.addOtherDependency('the address of the client');
    return this.client.address;
  }

  get origin(): string | null {
    this.sources.addOtherDependency('the address of the service');
    return this.client.origin;
  }

  get requestId(): number | undefined {
    return this.client.requestId;
  }

  get facts(): RequestFacts | undefined {
    return this.client.facts;
  }

  readonly header = (name: string): string | undefined => {
    // This header only requests a minimum freshness. An unchanged response always satisfies it.
    if (name !== consistencyHeader) this.sources.addOtherDependency(`the header ${name}`);
    return this.client.header(name);
  };

  setResponseHeader(name: string, value: string): void {
    this.sources.addOtherDependency(`the response header ${name}`);
    this.client.setResponseHeader(name, value);
  }
}

/** A request that may get the same response as an earlier request. */
export class ConditionalRequest {
  readonly sources = new ResponseSources();
  #moment: LogMoment | null = null;
  #applied: Pools['appliedPositions'] = new Map();

  constructor(
    readonly requests: ConditionalRequests,
    readonly key: string,
  ) {}

  /**
   * Returns the tag of the response if `If-None-Match` contains it and the response is unchanged. Null if the response must be computed.
   */
  unchangedTag(ifNoneMatch: string): Promise<string | null> {
    return this.requests.unchangedTag(this.key, ifNoneMatch);
  }

  /** Returns a client that records the dependencies of the response while the response is computed. */
  trackClient(client: Client): Client {
    this.#moment = this.requests.freshness.moment;
    this.#applied = this.requests.resources.pools.appliedPositions;
    return new TrackingClient(client, this.sources);
  }

  /**
   * Returns the point in the change log up to which the response includes every change. For data from a replica, this is the last known
   * replay position of the replica. Null if the point is unknown.
   */
  consistentSince(freshness: Freshness): LogMoment | null {
    let earliest = this.#moment;
    for (const replica of this.sources.replicas) {
      const moment = freshness.momentAt(this.#applied.get(replica));
      if (earliest?.epoch !== moment?.epoch) return null;
      if (earliest && moment && moment.position < earliest.position) earliest = moment;
    }
    return earliest;
  }

  /** Saves the tag of the response that was computed with the tracked client. */
  save(tag: string): void {
    this.requests.save(this, tag);
  }
}

/**
 * Responds to conditional requests (`If-None-Match`) without computing the response again. Stores which records a response was built from,
 * and checks in the change log whether any of them has changed since. Tags depend only on the content of responses, because clients compare
 * them and all processes accept them.
 *
 * The process follows the change log after its first conditional request. Without conditional requests, it opens no connection to the
 * change log.
 */
export class ConditionalRequests {
  readonly #cachedTags = createCache<string, CachedTag>(cacheDescription, {
    max: 10_000,
    maxSize: 8_000_000,
    sizeCalculation: ({ tag }, key) => tag.length + key.length,
  });

  constructor(readonly resources: Pick<Resources, 'pools' | 'services'>) {}

  get freshness(): Freshness {
    return this.resources.services.changes.freshness;
  }

  /** Starts tracking a request. Returns null if its response cannot be cached because the process does not follow the change log yet. */
  start(caller: Caller, url: string, isConditional: boolean): ConditionalRequest | null {
    if (this.freshness.moment) return new ConditionalRequest(this, `${callerKeyOf(caller)} ${url}`);
    if (isConditional) {
      conditionalRequestCounts.add('uncached');
      this.freshness.follow();
    }
    return null;
  }

  async unchangedTag(key: string, ifNoneMatch: string): Promise<string | null> {
    const cachedTag = this.#cachedTags.get(key);
    if (!cachedTag || !matchesTag(ifNoneMatch, cachedTag.tag)) {
      conditionalRequestCounts.add('miss');
      return null;
    }
    const { tag, records, version, since } = cachedTag;
    const isUnchanged =
      (version === null || version === (await cacheVersion(this.resources.pools))) &&
      (await this.freshness.isUnchanged(records, since));
    conditionalRequestCounts.add(isUnchanged ? 'hit' : 'stale');
    return isUnchanged ? tag : null;
  }

  save(request: ConditionalRequest, tag: string): void {
    const { key, sources } = request;
    const since = request.consistentSince(this.freshness);
    const source = this.freshness.sourceOf(sources);
    const uncoveredDependency = source ? source.uncoveredDependency : 'the change log is not followed yet';
    if (evaluations.hasSubscribers) evaluations.publish({ key, reads: sources, records: source?.records, uncoveredDependency });
    if (!source || !since || uncoveredDependency !== null) this.#cachedTags.delete(key);
    else this.#cachedTags.set(key, { tag, records: [...source.records], version: sources.cachedVersion, since });
  }
}
