import { type Caller, platformIdOf } from '../../kernel/declare/policy/caller.js';
import { trackCoOccurrences } from './co-occurrences.js';
import { bucketCount, bucketIndexOf } from './latencies.js';
import type { UsageCaller } from './usage-group.js';
import { dayLength, type UsageGroup, utcDayOf } from './usage-group.js';

/** Counts of one group's calls to a route on one day, in this process. */
interface Counts {
  calls: number;
  clientErrors: number;
  serverErrors: number;
  /** Unix time of the first call, in milliseconds. */
  firstAt: number;
  /** Unix time of the last call, in milliseconds. */
  lastAt: number;
  readonly latencies: Float64Array;
}

/** Calls by one group on one day. */
interface Group extends UsageGroup {
  /** Counts, indexed by route number. The array is sparse. */
  readonly routes: Counts[];
  /** Number of co-occurrences for each pair of routes. The key combines both route numbers. */
  readonly pairs: Map<number, number>;
}

/** Counts since the previous call to `drain`. */
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

/**
 * Maximum number of counters between two writes. Each counter is for one platform, route and day. Further platforms are counted together.
 */
export const maxCounters = 20_000;
/** Maximum number of pairs between two writes, per platform and in total. */
export const [maxPairs, maxTotalPairs] = [500, 50_000];
/** Upper bound of route numbers. The key of a pair is `first * pairBase + second`. */
const pairBase = 4096;

const emptyGroup = (caller: UsageCaller, platformId = ''): Group => ({ caller, platformId, routes: [], pairs: new Map() });

/** Counts for one UTC day, grouped by callers. */
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
  readonly #routeNumbers = new Map<string, number>();
  readonly #routeNames: string[] = [];
  readonly #isRead: boolean[] = [];
  readonly #addCall = trackCoOccurrences<Group>((group, route, other) => this.#countPair(group, route, other));
  #days: Day[] = [];
  #today: Day | null = null;
  #countsSize = 0;
  #pairCount = 0;
  #callCount = 0;

  /** Counts a response. `startedAt` is the start of the request, as a time from `performance.now()`. `milliseconds` is its duration. */
  add(route: string, caller: Caller | null, status: number, startedAt: number, milliseconds: number): void {
    const now = Date.now();
    const number = this.#routeNumbers.get(route) ?? this.#registerRoute(route);
    const group = this.#findGroup(caller, now);
    const counts = group.routes[number] ?? this.#createCounts(group, number, now);
    this.#callCount += 1;
    counts.calls += 1;
    if (status >= 500) counts.serverErrors += 1;
    else if (status >= 400) counts.clientErrors += 1;
    counts.lastAt = now;
    const bucket = bucketIndexOf(milliseconds);
    counts.latencies[bucket] = (counts.latencies[bucket] ?? 0) + 1;
    const callerId = caller?.user?.id ?? group.platformId;
    if (callerId && status < 400 && this.#isRead[number]) this.#addCall(callerId, number, startedAt, group);
  }

  /** Returns the counts and resets them. Returns null if nothing was counted. */
  drain(): CountedUsage | null {
    if (!this.#callCount) return null;
    const [days, calls] = [this.#days, this.#callCount];
    this.#days = [];
    this.#today = null;
    this.#countsSize = this.#pairCount = this.#callCount = 0;
    const mapGroups = <T>(toRows: (group: Group, key: { day: string; caller: UsageCaller; platformId: string }) => T[]) =>
      days.flatMap((day) =>
        day.groups().flatMap((group) => {
          const { caller, platformId } = group;
          return toRows(group, { day: utcDayOf(day.number * dayLength), caller, platformId });
        }),
      );
    const name = (number: number) => this.#routeNames[number] ?? '';
    return {
      calls,
      routes: mapGroups(({ routes }, key) =>
        // `Object.entries` skips routes without calls, because the array is sparse.
        Object.entries(routes).map(([number, counts]) => ({
          ...key,
          route: name(Number(number)),
          ...counts,
          latencies: [...counts.latencies],
        })),
      ),
      pairs: mapGroups(({ pairs }, key) =>
        [...pairs].map(([pair, times]) => ({
          ...key,
          first: name(Math.floor(pair / pairBase)),
          second: name(pair % pairBase),
          times,
        })),
      ),
    };
  }

  #registerRoute(route: string): number {
    const number = this.#routeNames.push(route) - 1;
    this.#routeNumbers.set(route, number);
    this.#isRead.push(route.startsWith('GET '));
    return number;
  }

  /** Finds or creates a day. An earlier day can recur when the clock is set back. */
  #findDay(number: number): Day {
    this.#today = this.#days.find((day) => day.number === number) ?? null;
    if (this.#today) return this.#today;
    this.#today = new Day(number);
    this.#days.push(this.#today);
    return this.#today;
  }

  #findGroup(caller: Caller | null, now: number): Group {
    const number = Math.floor(now / dayLength);
    const day = this.#today?.number === number ? this.#today : this.#findDay(number);
    const id = caller ? platformIdOf(caller) : null;
    if (!id) return caller?.user ? day.users : day.anonymous;
    const platformGroup = day.platforms.get(id);
    if (platformGroup) return platformGroup;
    if (this.#countsSize >= maxCounters) return day.others;
    const group = emptyGroup('PLATFORM', id);
    day.platforms.set(id, group);
    return group;
  }

  #createCounts({ caller, routes }: Group, number: number, now: number): Counts {
    const others = caller === 'PLATFORM' && this.#countsSize >= maxCounters ? this.#today?.others : null;
    if (others) return others.routes[number] ?? this.#createCounts(others, number, now);
    this.#countsSize += 1;
    const latencies = new Float64Array(bucketCount);
    const counts = { calls: 0, clientErrors: 0, serverErrors: 0, firstAt: now, lastAt: now, latencies };
    routes[number] = counts;
    return counts;
  }

  #countPair({ pairs }: Group, route: number, other: number): void {
    const pair = Math.min(route, other) * pairBase + Math.max(route, other);
    const times = pairs.get(pair);
    if (times !== undefined) pairs.set(pair, times + 1);
    else if (pairs.size < maxPairs && this.#pairCount < maxTotalPairs) {
      this.#pairCount += 1;
      pairs.set(pair, 1);
    }
  }
}
