import { createCache } from '../../kernel/caches.js';

/** Number of recent calls per caller that a call is compared with, and the maximum time between co-occurring calls, in milliseconds. */
const [maxCalls, maxInterval] = [8, 1000];

/** Called for each pair of routes that a caller in a group calls within `maxInterval`. */
type ReportPair<Group> = (group: Group, route: number, other: number) => void;

/** Ring buffer of the most recent calls of a caller. */
class RecentCalls {
  readonly #routes = new Int32Array(maxCalls).fill(-1);
  readonly #startTimes = new Float64Array(maxCalls).fill(Number.NEGATIVE_INFINITY);
  #next = 0;

  /**
   * Reports each route that the caller called within a second of this call, once per route. This includes the route of this call, if it was
   * called before. Then adds the call.
   */
  add<Group>(route: number, startedAt: number, group: Group, report: ReportPair<Group>): void {
    for (let index = 0; index < maxCalls; index += 1) {
      const other = this.#routes[index] ?? -1;
      if (this.#isNear(index, startedAt) && !this.#isAlreadyReported(other, index, startedAt)) report(group, route, other);
    }
    this.#routes[this.#next] = route;
    this.#startTimes[this.#next] = startedAt;
    this.#next = (this.#next + 1) % maxCalls;
  }

  #isNear(index: number, startedAt: number): boolean {
    return Math.abs(startedAt - (this.#startTimes[index] ?? 0)) <= maxInterval;
  }

  #isAlreadyReported(route: number, index: number, startedAt: number): boolean {
    for (let earlier = 0; earlier < index; earlier += 1)
      if (this.#routes[earlier] === route && this.#isNear(earlier, startedAt)) return true;
    return false;
  }
}

/** Returns a function that adds a call of a user or platform, and reports its co-occurring routes. */
export function trackCoOccurrences<Group>(
  report: ReportPair<Group>,
): (caller: string, route: number, startedAt: number, group: Group) => void {
  const callers = createCache<string, RecentCalls>(
    {
      name: 'latest `/v1` calls of each caller',
      limit: `2,000 callers with ${maxCalls} calls each`,
      validity: 'later calls replace them',
    },
    { max: 2000 },
  );
  return (caller, route, startedAt, group) => {
    let calls = callers.get(caller);
    if (!calls) {
      calls = new RecentCalls();
      callers.set(caller, calls);
    }
    calls.add(route, startedAt, group, report);
  };
}
