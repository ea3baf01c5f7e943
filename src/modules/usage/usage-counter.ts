import { type Caller, platformIdOf } from '../../kernel/declare/policy/caller.js';
import { trackCoOccurrences } from './co-occurrences.js';
import { bucketOf, buckets } from './latencies.js';
import type { UsageCaller } from './usage-caller.js';
import { dayLength, type UsageGroup, utcDayOf } from './usage-group.js';

/** Calls of a route by a group on one day, in this process. */
interface Counts {
  calls: number;
  clientErrors: number;
  serverErrors: number;
  /** Unix time in milliseconds, like `lastAt`. */
  firstAt: number;
  lastAt: number;
  readonly latencies: Float64Array;
}

/** Calls of a group on one day. */
interface Group extends UsageGroup {
  /** Counts by route number. Sparse. */
  readonly routes: Counts[];
  /** Number of co-occurrences by pair of routes. The key combines both route numbers. */
  readonly pairs: Map<number, number>;
}

/** Counts since the last call of `drain`. */
export interface CountedUsage {
  readonly calls: number;
  readonly routes: readonly (UsageGroup & Omit<Counts, 'latencies'> & { day: string; route: string; latencies: number[] })[];
  readonly pairs: readonly (UsageGroup & {
    day: string;
    first: string;
    second: string;
    times: number;
  })[];
}

/** Maximum number of counts per platform, route and day between two writes. Further platforms are counted together. */
export const maxCounts = 20_000;
/** Maximum number of pairs between two writes, per platform and in total. */
export const [maxPairs, maxTotalPairs] = [500, 50_000];
/** Upper bound of route numbers. The key of a pair is `first * base + second`. */
const base = 4096;

const emptyGroup = (caller: UsageCaller, platformId = ''): Group => ({ caller, platformId, routes: [], pairs: new Map() });

/** Groups of callers of one day. */
class Day {
  readonly users = emptyGroup('USER');
  readonly anonymous = emptyGroup('ANONYMOUS');
  readonly others = emptyGroup('OTHERS');
  readonly platforms = new Map<string, Group>();

  constructor(readonly number: number) {}

  groups(): Group[] {
    return [this.users, this.anonymous, this.others, ...this.platforms.values()];
  }
}

/** Counts calls in memory. Repeated calls allocate no objects. */
export class UsageCounter {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #isRead: boolean[] = [];
  readonly #addCall = trackCoOccurrences<Group>((group, route, other) => this.#countPair(group, route, other));
  #days: Day[] = [];
  #today: Day | null = null;
  #size = 0;
  #pairs = 0;
  #calls = 0;

  /** Counts a response. `startedAt` is the start of the request, from `performance.now()`, and `milliseconds` its duration. */
  add(route: string, caller: Caller | null, status: number, startedAt: number, milliseconds: number): void {
    const now = Date.now();
    const number = this.#numbers.get(route) ?? this.#name(route);
    const group = this.#usageGroupOf(caller, now);
    const counts = group.routes[number] ?? this.#createCounts(group, number, now);
    this.#calls += 1;
    counts.calls += 1;
    if (status >= 500) counts.serverErrors += 1;
    else if (status >= 400) counts.clientErrors += 1;
    counts.lastAt = now;
    const bucket = bucketOf(milliseconds);
    counts.latencies[bucket] = (counts.latencies[bucket] ?? 0) + 1;
    const callerId = caller?.user?.id ?? group.platformId;
    if (callerId && status < 400 && this.#isRead[number]) this.#addCall(callerId, number, startedAt, group);
  }

  /** Returns and resets the counts. Null if there are none. */
  drain(): CountedUsage | null {
    if (!this.#calls) return null;
    const [days, calls] = [this.#days, this.#calls];
    this.#days = [];
    this.#today = null;
    this.#size = this.#pairs = this.#calls = 0;
    const mapGroups = <T>(toRows: (group: Group, key: { day: string; caller: UsageCaller; platformId: string }) => T[]) =>
      days.flatMap((day) =>
        day.groups().flatMap((group) => {
          const { caller, platformId } = group;
          return toRows(group, { day: utcDayOf(day.number * dayLength), caller, platformId });
        }),
      );
    const name = (number: number) => this.#names[number] ?? '';
    return {
      calls,
      routes: mapGroups(({ routes }, key) =>
        // The array is sparse: it has no entries for routes without calls.
        Object.entries(routes).map(([number, counts]) => ({
          ...key,
          route: name(Number(number)),
          ...counts,
          latencies: [...counts.latencies],
        })),
      ),
      pairs: mapGroups(({ pairs }, key) =>
        [...pairs].map(([pair, times]) => ({ ...key, first: name(Math.floor(pair / base)), second: name(pair % base), times })),
      ),
    };
  }

  #name(route: string): number {
    const number = this.#names.push(route) - 1;
    this.#numbers.set(route, number);
    this.#isRead.push(route.startsWith('GET '));
    return number;
  }

  /** Finds or creates a day. An earlier day can recur when the clock is set back. */
  #utcDayOf(number: number): Day {
    this.#today = this.#days.find((day) => day.number === number) ?? null;
    if (this.#today) return this.#today;
    this.#today = new Day(number);
    this.#days.push(this.#today);
    return this.#today;
  }

  #usageGroupOf(caller: Caller | null, now: number): Group {
    const number = Math.floor(now / dayLength);
    const day = this.#today?.number === number ? this.#today : this.#utcDayOf(number);
    const id = caller ? platformIdOf(caller) : null;
    if (!id) return caller?.user ? day.users : day.anonymous;
    const existing = day.platforms.get(id);
    if (existing) return existing;
    if (this.#size >= maxCounts) return day.others;
    const group = emptyGroup('PLATFORM', id);
    day.platforms.set(id, group);
    return group;
  }

  #createCounts({ caller, routes }: Group, number: number, now: number): Counts {
    const others = caller === 'PLATFORM' && this.#size >= maxCounts ? this.#today?.others : null;
    if (others) return others.routes[number] ?? this.#createCounts(others, number, now);
    this.#size += 1;
    const latencies = new Float64Array(buckets);
    const counts = { calls: 0, clientErrors: 0, serverErrors: 0, firstAt: now, lastAt: now, latencies };
    routes[number] = counts;
    return counts;
  }

  #countPair({ pairs }: Group, route: number, other: number): void {
    const pair = Math.min(route, other) * base + Math.max(route, other);
    const times = pairs.get(pair);
    if (times !== undefined) pairs.set(pair, times + 1);
    else if (pairs.size < maxPairs && this.#pairs < maxTotalPairs) {
      this.#pairs += 1;
      pairs.set(pair, 1);
    }
  }
}
