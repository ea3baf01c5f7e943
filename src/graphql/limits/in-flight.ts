import type { ServerResponse } from 'node:http';

const indexKey = Symbol('place');

const removed = -1;

type TrackedResponse = ServerResponse & { [indexKey]?: number };

/**
 * Set of unfinished responses, in no order. Not a `Set`: when a V8 `Set` shrinks or grows, the old table references the new one.
 * Old tables then keep finished responses alive until the next full garbage collection.
 */
export class InFlight {
  readonly #all: TrackedResponse[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(response: TrackedResponse): void {
    response[indexKey] = this.#all.push(response) - 1;
  }

  /** Removes a response. Repeated calls have no effect. */
  delete(response: TrackedResponse): void {
    const { [indexKey]: index = removed } = response;
    const last = this.#all.at(-1);
    if (index === removed || !last) return;
    this.#all[index] = last;
    last[indexKey] = index;
    this.#all.pop();
    response[indexKey] = removed;
  }

  /** Snapshot of all responses. Responses can be removed while it is iterated. */
  all(): readonly ServerResponse[] {
    return [...this.#all];
  }
}
