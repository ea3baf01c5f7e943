import { bounded } from '../../kernel/bounded.js';

/** How many calls of a caller are looked back at, and for how many milliseconds. */
const [most, within] = [8, 1000];

/** Is told of two routes that one of a group has called together. */
type Tell<Group> = (group: Group, route: number, other: number) => void;

/** The last calls of a caller, the oldest overwritten first. */
class LastCalls {
  readonly #routes = new Int32Array(most).fill(-1);
  readonly #begun = new Float64Array(most).fill(Number.NEGATIVE_INFINITY);
  #next = 0;

  /** Tells each route, once, that was called within a second of this call, its own among them. */
  meet<Group>(route: number, begun: number, group: Group, tell: Tell<Group>): void {
    for (let place = 0; place < most; place += 1) {
      const other = this.#routes[place] ?? -1;
      if (this.#isNear(place, begun) && !this.#isToldBefore(other, place, begun)) tell(group, route, other);
    }
    this.#routes[this.#next] = route;
    this.#begun[this.#next] = begun;
    this.#next = (this.#next + 1) % most;
  }

  #isNear(place: number, begun: number): boolean {
    return Math.abs(begun - (this.#begun[place] ?? 0)) <= within;
  }

  #isToldBefore(route: number, place: number, begun: number): boolean {
    for (let earlier = 0; earlier < place; earlier += 1)
      if (this.#routes[earlier] === route && this.#isNear(earlier, begun)) return true;
    return false;
  }
}

/** Tells which routes callers call together: whoever it is that calls, a user or else the platform. */
export function callsTogether<Group>(tell: Tell<Group>): (caller: string, route: number, begun: number, group: Group) => void {
  const callers = bounded<string, LastCalls>(
    {
      what: 'the last routes of `/v1` that a caller has called',
      most: `2,000 callers, ${most} calls of each`,
      until: 'the next calls: they are compared with those of the last second',
    },
    { max: 2000 },
  );
  return (caller, route, begun, group) => {
    let calls = callers.get(caller);
    if (!calls) {
      calls = new LastCalls();
      callers.set(caller, calls);
    }
    calls.meet(route, begun, group, tell);
  };
}
