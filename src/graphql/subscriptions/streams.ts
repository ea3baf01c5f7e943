import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import type { Change, ChangeLog } from '../../kernel/changes/index.js';
import { failureFields } from '../../kernel/database-errors.js';
import { codeOf, createError } from '../../kernel/declare/errors.js';
import { type Caller, platformIdOf } from '../../kernel/declare/policy/caller.js';
import { limitRefusals } from '../../kernel/monitoring/counts.js';
import { createUnavailableError } from '../../kernel/monitoring/unavailable.js';
import type { LiveConnection } from './connections.js';
import { Connections, type EndReason, subscriptionCounts } from './connections.js';

/** Interval in milliseconds at which every caller is identified again, because a token can expire without any change in the database. */
const recheckIntervalMs = 30_000;
/**
 * Delay in milliseconds between the start of a subscription and its first check. Cached token data can be half a second old, so a
 * revocation may have been published before the subscription was registered.
 */
const firstRecheckMs = 600;
const tickMs = 250;
/**
 * Number of new subscriptions after which the process collects garbage. Starting a subscription creates garbage, but idle connections never
 * trigger a collection.
 */
const collectThreshold = 1_000;
/** Maximum number of callers that are identified at once. */
const maxConcurrentChecks = 8;

/** An open subscription. */
export interface Stream {
  /** Caller, as last identified. */
  caller: Caller;
  /** Network address of the subscriber. For IPv6, its /64 network. */
  readonly address: string;
  /** Maximum number of fields in one result. */
  readonly cost: number;
  /** Connection that delivers the events. Null for subscribers in this process. */
  readonly connection: LiveConnection | null;
  /** Whether the subscriber has more unread changes than the limit. */
  readonly isBehind: boolean;
  /** Identifies the caller again. */
  identify(): Promise<Caller>;
  /** Throws if the caller may no longer read the subscription. */
  admit(caller: Caller): void;
  /** Ends the subscription. The error is null if the service stops. */
  end(error: Error | null): void;
}

/** Environment variables that set the limits of subscriptions. */
const limitVariables = ['STREAMS_AT_ONCE', 'STREAMS_PER_CALLER', 'STREAM_COST_PER_CALLER', 'STREAM_COST_PER_ADDRESS'] as const;
limitRefusals.declare(limitVariables);

/** Limits of the open subscriptions of a process. */
interface StreamLimits {
  readonly maxStreams: number;
  /** Maximum number of subscriptions per user, per platform, and per network address of anonymous clients. */
  readonly maxStreamsPerCaller: number;
  readonly maxCostPerCaller: number;
  /** Maximum total cost of the subscriptions of all users and visitors at one network address. */
  readonly maxCostPerAddress: number;
}

/** Record types that determine the permissions of a token. */
const tokenRecordTypes = ['UserToken', 'PublishableKey', 'Platform', 'User', 'Role'] as const;

const affectsCaller = ({ record, id, refs }: Change, caller: Caller): boolean => {
  const { key, user } = caller;
  const isReferenced = (name: string, value: string | null) =>
    value !== null && (id === value || refs.includes(`${name}=${value}`));
  if (record === 'Role') return user !== null;
  return isReferenced('userId', user?.id ?? null) || isReferenced('platformId', platformIdOf(caller)) || id === key?.id;
};

/**
 * Returns the key of a caller for the limits. Visitors are identified by network address, because all visitors of a page send the same
 * publishable key.
 */
export const callerKeyOf = ({ user, platform }: Caller, address: string): string =>
  user ? `user ${user.id}` : platform ? `platform ${platform.id}` : `address ${address}`;

/** Returns the key of a network address for the limits. Null for platforms, because their servers subscribe on behalf of many people. */
const addressKeyOf = ({ caller: { platform }, address }: Stream): string | null => (platform ? null : `all at ${address}`);

/** Number and total cost of the open subscriptions of one caller or address. */
interface StreamUsage {
  readonly count: number;
  readonly cost: number;
}

/** Registry of the open subscriptions of a process. Enforces their limits and ends them when their token becomes invalid. */
export class Streams {
  readonly #openStreams = new Map<Stream, { since: number; usageKeys: readonly string[] }>();
  readonly #usage = new Map<string, StreamUsage>();
  readonly #connections = new Connections();
  /** Subscriptions whose callers must be identified again. */
  readonly #pendingChecks = new Set<Stream>();
  #uncheckedStreams: Stream[] = [];
  #activeChecks = 0;
  #isFollowing = false;
  #timer: NodeJS.Timeout | null = null;
  #lastRecheck = performance.now();
  #isStopped = false;
  /** Number of open subscriptions at the last garbage collection, or the lowest number since. */
  #sizeAtLastCollection = 0;

  constructor(
    readonly changes: ChangeLog,
    readonly limits: StreamLimits,
    /** Clears cached token data. */
    readonly clearTokenCache: () => void,
    readonly log: Logger,
    /** Runs the garbage collector. */
    readonly collectGarbage: () => void = () => undefined,
  ) {}

  /** Number of open subscriptions. */
  get size(): number {
    return this.#openStreams.size;
  }

  /** Registers a subscription. Throws UNAVAILABLE if a limit is reached or the service stops. */
  add(stream: Stream): void {
    const callerKey = callerKeyOf(stream.caller, stream.address);
    const addressKey = addressKeyOf(stream);
    const { maxStreams, maxStreamsPerCaller, maxCostPerCaller, maxCostPerAddress } = this.limits;
    const refuse = (limit: (typeof limitVariables)[number], message: string) => {
      limitRefusals.add(limit);
      throw createUnavailableError({ reason: 'subscriptions', cause: limit }, message, 5);
    };
    if (this.#isStopped) throw createUnavailableError({ reason: 'stopping' }, 'the service is stopping', 5);
    if (this.#openStreams.size >= maxStreams) refuse('STREAMS_AT_ONCE', 'too many subscriptions are open');
    const callerUsage = this.#usageOf(callerKey);
    if (callerUsage.count >= maxStreamsPerCaller)
      refuse('STREAMS_PER_CALLER', `too many subscriptions of the same caller are open: expected at most ${maxStreamsPerCaller}`);
    if (callerUsage.cost + stream.cost > maxCostPerCaller)
      refuse(
        'STREAM_COST_PER_CALLER',
        `the open subscriptions of the same caller cost too much: expected a total cost of at most ${maxCostPerCaller}`,
      );
    if (addressKey !== null && this.#usageOf(addressKey).cost + stream.cost > maxCostPerAddress)
      refuse(
        'STREAM_COST_PER_ADDRESS',
        `the open subscriptions of the same address cost too much: expected a total cost of at most ${maxCostPerAddress}`,
      );
    const usageKeys = addressKey === null ? [callerKey] : [callerKey, addressKey];
    this.#openStreams.set(stream, { since: performance.now(), usageKeys });
    for (const key of usageKeys) this.#addUsage(key, 1, stream.cost);
    this.#uncheckedStreams.push(stream);
    if (stream.connection) this.#connections.add(stream.connection);
    if (!this.#isFollowing) void this.#followTokenChanges();
    this.#timer ??= setInterval(() => this.#tick(), tickMs).unref();
  }

  delete(stream: Stream): void {
    const streamState = this.#openStreams.get(stream);
    if (!streamState) return;
    this.#openStreams.delete(stream);
    this.#pendingChecks.delete(stream);
    if (stream.connection) this.#connections.delete(stream.connection);
    for (const key of streamState.usageKeys) this.#addUsage(key, -1, -stream.cost);
  }

  #usageOf(key: string): StreamUsage {
    return this.#usage.get(key) ?? { count: 0, cost: 0 };
  }

  #addUsage(key: string, count: number, cost: number): void {
    const previous = this.#usageOf(key);
    const usage = { count: previous.count + count, cost: previous.cost + cost };
    if (usage.count > 0) this.#usage.set(key, usage);
    else this.#usage.delete(key);
  }

  /** Ends all subscriptions. Subscribers reconnect to another process with their last cursor. */
  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearInterval(this.#timer);
    for (const stream of [...this.#openStreams.keys()]) this.#end(stream, null, 'stop');
  }

  #end(stream: Stream, error: Error | null, reason: EndReason): void {
    subscriptionCounts.ended[reason] += 1;
    stream.end(error);
    // Does not wait for clients that do not read.
    if (stream.connection) this.#connections.terminateSoon(stream.connection);
  }

  #tick(): void {
    const now = performance.now();
    const firstUnsettled = this.#uncheckedStreams.findIndex(
      (stream) => now - (this.#openStreams.get(stream)?.since ?? 0) < firstRecheckMs,
    );
    this.#scheduleCheck(this.#uncheckedStreams.splice(0, firstUnsettled < 0 ? this.#uncheckedStreams.length : firstUnsettled));
    this.#sizeAtLastCollection = Math.min(this.#sizeAtLastCollection, this.#openStreams.size);
    if (this.#uncheckedStreams.length === 0 && this.#openStreams.size - this.#sizeAtLastCollection >= collectThreshold) {
      this.#sizeAtLastCollection = this.#openStreams.size;
      this.collectGarbage();
    }
    if (now - this.#lastRecheck > recheckIntervalMs) {
      this.#lastRecheck = now;
      this.#scheduleCheck(this.#openStreams.keys());
    }
    for (const stream of this.#openStreams.keys())
      if (stream.connection && stream.isBehind && stream.connection.bufferedBytes > 0)
        this.#terminateConnection(stream.connection);
    for (const connection of this.#connections.stuckConnections(now)) this.#terminateConnection(connection);
  }

  /** Removes a subscription because its client reads too slowly. */
  endSlow(stream: Stream): void {
    if (this.#openStreams.has(stream)) subscriptionCounts.ended.slow += 1;
    this.delete(stream);
  }

  /** Disconnects a client that does not read. Ends all subscriptions of the connection. */
  #terminateConnection(connection: LiveConnection): void {
    for (const stream of [...this.#openStreams.keys()]) if (stream.connection === connection) this.endSlow(stream);
    connection.terminate();
  }

  /** Identifies callers again when a change affects their token or permissions. */
  async #followTokenChanges(): Promise<void> {
    this.#isFollowing = true;
    while (!this.#isStopped) {
      try {
        const watch = await this.changes.watch([...tokenRecordTypes]);
        // `watch` reports only changes that are made after it has started, so all callers are checked once here.
        this.#recheckAll([...this.#openStreams.keys()]);
        for await (const change of watch) {
          const openStreams = [...this.#openStreams.keys()];
          this.#recheckAll(
            change.kind === 'CHANGES_MISSED' ? openStreams : openStreams.filter(({ caller }) => affectsCaller(change, caller)),
          );
        }
      } catch (error) {
        this.log.warn(failureFields(error), 'token changes cannot be read, will be retried');
      }
      await sleep(500, undefined, { ref: false });
    }
  }

  /** Clears cached token data, and identifies the callers of these subscriptions again. */
  #recheckAll(streams: readonly Stream[]): void {
    if (streams.length === 0) return;
    this.clearTokenCache();
    this.#scheduleCheck(streams);
  }

  /** Schedules checks that identify the callers again, with limited concurrency. */
  #scheduleCheck(streams: Iterable<Stream>): void {
    for (const stream of streams) if (this.#openStreams.has(stream)) this.#pendingChecks.add(stream);
    while (this.#activeChecks < Math.min(maxConcurrentChecks, this.#pendingChecks.size)) void this.#checkNext();
  }

  async #checkNext(): Promise<void> {
    this.#activeChecks += 1;
    for (const stream of this.#pendingChecks) {
      this.#pendingChecks.delete(stream);
      try {
        const caller = await stream.identify();
        if (caller.rejected) throw createError('UNAUTHENTICATED', 'the token is unknown, expired or revoked');
        stream.caller = caller;
        stream.admit(caller);
      } catch (error) {
        // A database error does not mean that the token is invalid, so the subscription stays open and is checked again soon.
        if (!(error instanceof GraphQLError) || codeOf(error) === 'UNAVAILABLE') this.#uncheckedStreams.push(stream);
        else this.#end(stream, error, 'token');
      }
    }
    this.#activeChecks -= 1;
  }
}
