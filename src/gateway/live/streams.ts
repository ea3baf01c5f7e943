import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Change, ChangeLog } from '../../kernel/changes/index.js';
import { type Caller, platformIdOf } from '../../kernel/declare/caller.js';
import { problem } from '../../kernel/declare/errors.js';
import { type Cut, liveCounts } from './counts.js';
import type { Outlet } from './outlet.js';
import { Outlets } from './outlets.js';

/** How often every caller is looked at although nothing was told of them: tokens end by themselves, too. In milliseconds. */
const anyway = 30_000;
/**
 * When a caller is looked at once more after a subscription began, in milliseconds: what was known of the token then may have been half a
 * second old, and its end told before there was anybody to end.
 */
const settling = 600;
const tick = 250;
/** So many subscriptions that come at one time leave tens of megabytes of garbage behind, which their quiet connections give no reason to collect. */
const crowd = 1_000;
/** So many callers are looked at, at once. */
const atOnce = 8;

/** A subscription that is open. */
export interface Stream {
  /** Who reads it, as they were when they were looked at last. */
  caller: Caller;
  /** The network address that it is read from; of IPv6 the network of 64 bits. */
  readonly address: string;
  /** Maximum number of fields in one answer. */
  readonly cost: number;
  /** By what they are told; null within the process. */
  readonly outlet: Outlet | null;
  /** Whether more waits than may wait. */
  readonly isBehind: boolean;
  /** Tells who reads it now. */
  identify(): Promise<Caller>;
  /** Throws where they may not read it any more. */
  admit(caller: Caller): void;
  /** Ends it: without an error where the service goes. */
  end(error: Error | null): void;
}

/** Limits of the open subscriptions of a process. */
export interface StreamLimits {
  readonly maxStreams: number;
  /** A caller is a user, a platform, or a network address without either. */
  readonly maxStreamsPerCaller: number;
  readonly maxCostPerCaller: number;
  /** Limits the total cost of all users and visitors at one network address. */
  readonly maxCostPerAddress: number;
}

/** Records of which a change may end what a token lets somebody do. */
const ofTokens = ['UserToken', 'PublishableKey', 'Platform', 'User', 'Role'] as const;

const concerns = ({ record, id, refs }: Change, caller: Caller): boolean => {
  const { key, user } = caller;
  const isNamed = (name: string, value: string | null) => value !== null && (id === value || refs.includes(`${name}=${value}`));
  if (record === 'Role') return user !== null;
  return isNamed('userId', user?.id ?? null) || isNamed('platformId', platformIdOf(caller)) || id === key?.id;
};

/** Key of a caller for the limits. Visitors are identified by their address, because all of them send the same publishable key. */
export const callerKeyOf = ({ user, platform }: Caller, address: string): string =>
  user ? `user ${user.id}` : platform ? `platform ${platform.id}` : `address ${address}`;

/** Key of a network address for the limits. Null for platforms, because their servers subscribe for many people. */
const addressKeyOf = ({ caller: { platform }, address }: Stream): string | null => (platform ? null : `all at ${address}`);

/** Number and total cost of the open subscriptions of one caller or address. */
interface StreamUsage {
  readonly count: number;
  readonly cost: number;
}

/** The open subscriptions of a process: so many at once, each as long as its token lives. */
export class Streams {
  readonly #open = new Map<Stream, { since: number; usageKeys: readonly string[] }>();
  readonly #usage = new Map<string, StreamUsage>();
  readonly #outlets = new Outlets();
  /** Those whose callers are to be looked at. */
  readonly #due = new Set<Stream>();
  #fresh: Stream[] = [];
  #lookers = 0;
  #isFollowing = false;
  #timer: NodeJS.Timeout | null = null;
  #looked = performance.now();
  #ended = false;
  /** How many were open when garbage was collected for them last, or fewer since. */
  #collected = 0;

  constructor(
    readonly changes: ChangeLog,
    readonly limits: StreamLimits,
    /** Forgets what is known of tokens. */
    readonly forget: () => void,
    readonly log: Logger,
    /** Gives back the memory that nobody needs. */
    readonly collect: () => void = () => undefined,
  ) {}

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes in one more; UNAVAILABLE where there are too many, or the service goes. */
  add(stream: Stream): void {
    const callerKey = callerKeyOf(stream.caller, stream.address);
    const addressKey = addressKeyOf(stream);
    const { maxStreams, maxStreamsPerCaller, maxCostPerCaller, maxCostPerAddress } = this.limits;
    const refuse = (message: string) => {
      throw problem('UNAVAILABLE', message, { retryAfter: 5 });
    };
    if (this.#ended) refuse('the service is being stopped');
    if (this.#open.size >= maxStreams) refuse('too many subscriptions are open');
    const callerUsage = this.#usageOf(callerKey);
    if (callerUsage.count >= maxStreamsPerCaller)
      refuse(`too many subscriptions of the same caller are open: expected at most ${maxStreamsPerCaller}`);
    if (callerUsage.cost + stream.cost > maxCostPerCaller)
      refuse(`the open subscriptions of the same caller cost too much: expected a total cost of at most ${maxCostPerCaller}`);
    if (addressKey !== null && this.#usageOf(addressKey).cost + stream.cost > maxCostPerAddress)
      refuse(`the open subscriptions of the same address cost too much: expected a total cost of at most ${maxCostPerAddress}`);
    const usageKeys = addressKey === null ? [callerKey] : [callerKey, addressKey];
    this.#open.set(stream, { since: performance.now(), usageKeys });
    for (const key of usageKeys) this.#addUsage(key, 1, stream.cost);
    this.#fresh.push(stream);
    if (stream.outlet) this.#outlets.add(stream.outlet);
    if (!this.#isFollowing) void this.#follow();
    this.#timer ??= setInterval(() => this.#tick(), tick).unref();
  }

  delete(stream: Stream): void {
    const known = this.#open.get(stream);
    if (!known) return;
    this.#open.delete(stream);
    this.#due.delete(stream);
    if (stream.outlet) this.#outlets.delete(stream.outlet);
    for (const key of known.usageKeys) this.#addUsage(key, -1, -stream.cost);
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

  /** Ends all of them: those who read come back to another process with their last cursor. */
  stop(): void {
    this.#ended = true;
    if (this.#timer) clearInterval(this.#timer);
    for (const stream of [...this.#open.keys()]) this.#end(stream, null, 'stop');
  }

  #end(stream: Stream, error: Error | null, why: Cut): void {
    liveCounts.cut[why] += 1;
    stream.end(error);
    // Who does not even take what was written before is not waited for.
    if (stream.outlet) this.#outlets.cutSoon(stream.outlet);
  }

  #tick(): void {
    const now = performance.now();
    const settled = this.#fresh.findIndex((stream) => now - (this.#open.get(stream)?.since ?? 0) < settling);
    this.#see(this.#fresh.splice(0, settled < 0 ? this.#fresh.length : settled));
    this.#collected = Math.min(this.#collected, this.#open.size);
    if (this.#fresh.length === 0 && this.#open.size - this.#collected >= crowd) {
      this.#collected = this.#open.size;
      this.collect();
    }
    if (now - this.#looked > anyway) {
      this.#looked = now;
      this.#see(this.#open.keys());
    }
    for (const stream of this.#open.keys())
      if (stream.outlet && stream.isBehind && stream.outlet.waiting > 0) this.#cut(stream.outlet);
    for (const outlet of this.#outlets.stuck(now)) this.#cut(outlet);
  }

  /** Takes out one that ends because more waits than may wait. */
  overrun(stream: Stream): void {
    if (this.#open.has(stream)) liveCounts.cut.slow += 1;
    this.delete(stream);
  }

  /** Hangs up on who does not read: everything that is told by it ends. */
  #cut(outlet: Outlet): void {
    for (const stream of [...this.#open.keys()]) if (stream.outlet === outlet) this.overrun(stream);
    outlet.cut();
  }

  /** Looks at the callers whom a change concerns, as soon as it is told. */
  async #follow(): Promise<void> {
    this.#isFollowing = true;
    while (!this.#ended) {
      try {
        const watch = await this.changes.watch([...ofTokens]);
        // What was changed before is not told.
        this.#news([...this.#open.keys()]);
        for await (const told of watch) {
          const all = [...this.#open.keys()];
          this.#news(told.kind === 'CHANGES_MISSED' ? all : all.filter(({ caller }) => concerns(told, caller)));
        }
      } catch (error) {
        this.log.warn({ reason: error instanceof Error ? error.message : '' }, 'changes of tokens are not followed for a moment');
      }
      await sleep(500, undefined, { ref: false });
    }
  }

  /** What is known of these callers may not be so any more. */
  #news(streams: readonly Stream[]): void {
    if (streams.length === 0) return;
    this.forget();
    this.#see(streams);
  }

  /** Has callers looked at: now, by as many as look at once. */
  #see(streams: Iterable<Stream>): void {
    for (const stream of streams) if (this.#open.has(stream)) this.#due.add(stream);
    while (this.#lookers < Math.min(atOnce, this.#due.size)) void this.#look();
  }

  async #look(): Promise<void> {
    this.#lookers += 1;
    for (const stream of this.#due) {
      this.#due.delete(stream);
      try {
        const caller = await stream.identify();
        if (caller.rejected) throw problem('UNAUTHENTICATED', 'the token is unknown, expired or revoked');
        stream.caller = caller;
        stream.admit(caller);
      } catch (error) {
        // The database may be away for a moment: that is no news of the token.
        if (error instanceof Error && 'extensions' in error) this.#end(stream, error, 'token');
      }
    }
    this.#lookers -= 1;
  }
}
