import { type Caller, platformIdOf } from '../../kernel/declare/caller.js';
import { bucketOf, buckets } from './latencies.js';
import { callsTogether } from './together.js';
import type { UsageCaller } from './usage-caller.js';
import { dayLength, type UsageGroup, utcDayOf } from './usage-group.js';

/** How often a route was called by somebody on a day, as far as one process knows. */
interface Counts {
  calls: number;
  clientErrors: number;
  serverErrors: number;
  /** Milliseconds of Unix time. */
  firstAt: number;
  lastAt: number;
  readonly latencies: Float64Array;
}

/** What somebody did on a day. */
interface Group extends UsageGroup {
  /** By the numbers of routes. */
  readonly routes: Counts[];
  /** How often two routes came together, by the numbers of both. */
  readonly pairs: Map<number, number>;
}

/** What was counted since the last time. */
export interface Counted {
  readonly calls: number;
  readonly routes: readonly (UsageGroup & Omit<Counts, 'latencies'> & { day: string; route: string; latencies: number[] })[];
  readonly pairs: readonly (UsageGroup & {
    day: string;
    first: string;
    second: string;
    times: number;
  })[];
}

/** Most counts of platforms, routes and days between two writings: the calls of platforms beyond are counted as one. */
export const mostCounts = 20_000;
/** Pairs of a platform, and of all, between two writings. */
export const [mostPairs, mostPairsOfAll] = [500, 50_000];
/** No more routes than these: the number of a pair is made of those of its routes. */
const base = 4096;

const nothing = (caller: UsageCaller, platformId = ''): Group => ({ caller, platformId, routes: [], pairs: new Map() });

/** Who called on a day. */
class Day {
  readonly users = nothing('USER');
  readonly anonymous = nothing('ANONYMOUS');
  readonly others = nothing('OTHERS');
  readonly platforms = new Map<string, Group>();

  constructor(readonly number: number) {}

  groups(): Group[] {
    return [this.users, this.anonymous, this.others, ...this.platforms.values()];
  }
}

/** Counts calls in memory, with nothing made for a call that is like one before. */
export class UsageCounter {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #isRead: boolean[] = [];
  readonly #meet = callsTogether<Group>((group, route, other) => this.#countPair(group, route, other));
  #days: Day[] = [];
  #today: Day | null = null;
  #size = 0;
  #pairs = 0;
  #calls = 0;

  /** Counts an answer: of which route, to whom, with which status, when the request came and how long it took, in milliseconds. */
  add(route: string, caller: Caller | null, status: number, begun: number, milliseconds: number): void {
    const now = Date.now();
    const number = this.#numbers.get(route) ?? this.#name(route);
    const group = this.#usageGroupOf(caller, now);
    const counts = group.routes[number] ?? this.#begin(group, number, now);
    this.#calls += 1;
    counts.calls += 1;
    if (status >= 500) counts.serverErrors += 1;
    else if (status >= 400) counts.clientErrors += 1;
    counts.lastAt = now;
    const bucket = bucketOf(milliseconds);
    counts.latencies[bucket] = (counts.latencies[bucket] ?? 0) + 1;
    const who = caller?.user?.id ?? group.platformId;
    if (who && status < 400 && this.#isRead[number]) this.#meet(who, number, begun, group);
  }

  /** What was counted since it was last taken; null for nothing. */
  take(): Counted | null {
    if (!this.#calls) return null;
    const [days, calls] = [this.#days, this.#calls];
    this.#days = [];
    this.#today = null;
    this.#size = this.#pairs = this.#calls = 0;
    const of = <T>(each: (group: Group, whose: { day: string; caller: UsageCaller; platformId: string }) => T[]) =>
      days.flatMap((day) =>
        day.groups().flatMap((group) => {
          const { caller, platformId } = group;
          return each(group, { day: utcDayOf(day.number * dayLength), caller, platformId });
        }),
      );
    const name = (number: number) => this.#names[number] ?? '';
    return {
      calls,
      routes: of(({ routes }, whose) =>
        // Holes are routes that nobody called.
        Object.entries(routes).map(([number, counts]) => ({
          ...whose,
          route: name(Number(number)),
          ...counts,
          latencies: [...counts.latencies],
        })),
      ),
      pairs: of(({ pairs }, whose) =>
        [...pairs].map(([pair, times]) => ({ ...whose, first: name(Math.floor(pair / base)), second: name(pair % base), times })),
      ),
    };
  }

  #name(route: string): number {
    const number = this.#names.push(route) - 1;
    this.#numbers.set(route, number);
    this.#isRead.push(route.startsWith('GET '));
    return number;
  }

  /** Clocks are set back, too. */
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
    const known = day.platforms.get(id);
    if (known) return known;
    if (this.#size >= mostCounts) return day.others;
    const group = nothing('PLATFORM', id);
    day.platforms.set(id, group);
    return group;
  }

  #begin({ caller, routes }: Group, number: number, now: number): Counts {
    const others = caller === 'PLATFORM' && this.#size >= mostCounts ? this.#today?.others : null;
    if (others) return others.routes[number] ?? this.#begin(others, number, now);
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
    else if (pairs.size < mostPairs && this.#pairs < mostPairsOfAll) {
      this.#pairs += 1;
      pairs.set(pair, 1);
    }
  }
}
