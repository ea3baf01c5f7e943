import { channel } from 'node:diagnostics_channel';
import type { LRUCache } from 'lru-cache';
import { createCache } from '../../kernel/caches.js';
import type { Freshness, LogMoment } from '../../kernel/changes/index.js';
import type { Client } from '../../kernel/declare/context.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { Counts } from '../../kernel/monitoring/counts.js';
import { clientHeaders } from '../../kernel/monitoring/metering.js';
import type { RequestFacts } from '../../kernel/monitoring/request-facts.js';
import type { Pools } from '../../kernel/pools.js';
import { cacheVersion } from '../../kernel/read/cache-version-sql.js';
import { ResponseSources } from '../../kernel/response-sources.js';
import type { Resources } from '../context.js';
import { idempotencyKeyHeader } from '../idempotency/responses.js';
import { consistencyHeader } from '../read-your-writes/index.js';
import { matchesTag } from './entity-tag.js';

/** Response that a later request may get again. It is valid until a row of one of its record types changes. */
interface CachedResponse {
  /** Entity tag of the response. Null for interfaces without tags. */
  readonly tag: string | null;
  /** Response in the format of the interface that sends it, such as `/graphql` or `/v1`. Null if only the tag is cached. */
  readonly response: unknown;
  /** Length of the response body. 0 if only the tag is cached. */
  readonly length: number;
  readonly records: readonly string[];
  readonly version: string | null;
  readonly since: LogMoment;
}

/** Diagnostics channel that reports the record types on which each response depends, or the reason why it cannot be cached. */
const evaluations = channel('courtside:poll');

/**
 * Number of requests to which the cache applies, by result. `hit`: answered without running the query. `stale`: a row of the record types
 * in the response has changed. `miss`: there is no entry for the request, or the entry contains only a tag, which the client did not send.
 * `uncached`: the process was not reading the change log yet. With `RESPONSE_CACHE_MB=0`, only conditional requests count.
 */
export const responseCacheCounts = new Counts(['hit', 'stale', 'miss', 'uncached']);

const cacheDescription = {
  name: 'responses to reads and their ETags, keyed by caller and request',
  limit: '10,000, and `RESPONSE_CACHE_MB`',
  validity: 'a record in the response changes; every request checks this on the primary',
};

const callerKeys = new WeakMap<Caller, string>();

/** Returns the cache key for a caller. It contains all properties of the caller that can affect a response. */
function callerKeyOf(caller: Caller): string {
  const existing = callerKeys.get(caller);
  if (existing !== undefined) return existing;
  const { platform, key, user } = caller;
  const text = JSON.stringify([
    platform && [platform.id, platform.name],
    key && [key.id, key.platformId],
    user && [user.id, user.name, user.isSuperAdmin, ...[...user.roles].sort()],
  ]);
  callerKeys.set(caller, text);
  return text;
}

/**
 * Headers that do not affect responses to reads. Unchanged responses always satisfy the minimum freshness in the consistency header. Only
 * mutations use the idempotency key. Client names are only for metrics.
 */
const unrelatedHeaders: ReadonlySet<string> = new Set([consistencyHeader, idempotencyKeyHeader, ...clientHeaders]);

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
    if (!unrelatedHeaders.has(name)) this.sources.addOtherDependency(`the header ${name}`);
    return this.client.header(name);
  };

  setResponseHeader(name: string, value: string): void {
    this.sources.addOtherDependency(`the response header ${name}`);
    this.client.setResponseHeader(name, value);
  }
}

/** A request that may get the same response as an earlier request. */
export class CacheableRequest<Response> {
  readonly sources = new ResponseSources();
  #moment: LogMoment | null = null;
  #applied: Pools['appliedPositions'] = new Map();

  constructor(
    readonly cache: ResponseCache,
    readonly key: string,
  ) {}

  /**
   * Returns the current response from the cache. Null if the response must be computed. If `If-None-Match` contains its tag, the result
   * contains only the tag.
   */
  async find(ifNoneMatch: string | undefined): Promise<Found<Response> | null> {
    // Only one interface, such as `/v1`, uses a key, and all its responses have the same type.
    return (await this.cache.find(this.key, ifNoneMatch)) as Found<Response> | null;
  }

  /** Returns a client that records the dependencies of the response while the response is computed. */
  trackClient(client: Client): Client {
    this.#moment = this.cache.freshness.moment;
    this.#applied = this.cache.resources.pools.appliedPositions;
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

  /** Whether an earlier response to the same request was saved. If so, the new response is stored in full, not only its tag. */
  get isRepeated(): boolean {
    return this.cache.has(this.key);
  }

  /**
   * Saves the response that was computed with the tracked client. If `response` is null, saves only its tag and its dependencies. `length`
   * is the length of its body.
   */
  save(tag: string | null, response: Response | null, length: number): void {
    this.cache.save(this, tag, response, length);
  }
}

/** Current response to a request. If `response` is null, the client already has the response with the tag `tag`. */
interface Found<Response> {
  readonly tag: string | null;
  readonly response: Response | null;
}

/** Size of the cached tags in bytes. */
const tagBytes = 8_000_000;

/** Maximum share of the cache that one response may occupy. */
const maxShare = 1 / 16;

/**
 * Answers repeated requests without computing their responses again. Stores the record types from which a response was built, and checks in
 * the change log whether a row of these types has changed since. Tags depend only on the content of responses, because clients compare them
 * and all processes accept them.
 *
 * The response itself is stored when a request is repeated, so that requests that are sent only once do not occupy memory.
 *
 * The process starts to follow the change log after its first request. If the cache stores only tags, the process starts after its first
 * conditional request.
 */
export class ResponseCache {
  readonly #cached: LRUCache<string, CachedResponse>;

  constructor(
    readonly resources: Pick<Resources, 'pools' | 'services'>,
    /** Maximum size of the responses in bytes. 0 if only tags are stored, for conditional requests. */
    readonly maxBytes: number,
  ) {
    this.#cached = createCache<string, CachedResponse>(cacheDescription, {
      max: 10_000,
      maxSize: tagBytes + maxBytes,
      sizeCalculation: ({ tag, length }, key) => (tag?.length ?? 0) + key.length + length + 1,
    });
  }

  get freshness(): Freshness {
    return this.resources.services.changes.freshness;
  }

  /**
   * Starts tracking a request. `request` contains everything that affects the response, except the caller. Returns null if the response
   * cannot be cached because the process does not follow the change log yet.
   */
  start<Response>(caller: Caller, request: string, isConditional: boolean): CacheableRequest<Response> | null {
    if (this.freshness.moment) return new CacheableRequest(this, `${callerKeyOf(caller)} ${request}`);
    if (isConditional || this.maxBytes > 0) {
      responseCacheCounts.add('uncached');
      this.freshness.follow();
    }
    return null;
  }

  async find(key: string, ifNoneMatch: string | undefined): Promise<Found<unknown> | null> {
    const cached = this.#cached.get(key);
    const isKnownToClient = cached !== undefined && cached.tag !== null && matchesTag(ifNoneMatch, cached.tag);
    if (!cached || !(isKnownToClient || cached.response !== null)) {
      if (this.maxBytes > 0 || ifNoneMatch !== undefined) responseCacheCounts.add('miss');
      return null;
    }
    const { tag, response, records, version, since } = cached;
    const isUnchanged =
      (version === null || version === (await cacheVersion(this.resources.pools))) &&
      (await this.freshness.isUnchanged(records, since));
    responseCacheCounts.add(isUnchanged ? 'hit' : 'stale');
    return isUnchanged ? { tag, response: isKnownToClient ? null : response } : null;
  }

  has(key: string): boolean {
    return this.#cached.has(key);
  }

  save(request: CacheableRequest<unknown>, tag: string | null, response: unknown, length: number): void {
    const { key, sources } = request;
    const since = request.consistentSince(this.freshness);
    const source = this.freshness.sourceOf(sources);
    const uncoveredDependency = source ? source.uncoveredDependency : 'the change log is not followed yet';
    if (evaluations.hasSubscribers) evaluations.publish({ key, reads: sources, records: source?.records, uncoveredDependency });
    if (!source || !since || uncoveredDependency !== null) {
      this.#cached.delete(key);
      return;
    }
    const isStored = length <= this.maxBytes * maxShare && this.has(key);
    const entry = { tag, records: [...source.records], version: sources.cachedVersion, since };
    this.#cached.set(key, isStored ? { ...entry, response, length } : { ...entry, response: null, length: 0 });
  }
}
