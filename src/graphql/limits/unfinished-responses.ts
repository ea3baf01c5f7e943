import type { ServerResponse } from 'node:http';

const indexKey = Symbol('index');

const removed = -1;

type TrackedResponse = ServerResponse & { [indexKey]?: number };

/**
 * Unordered set of unfinished responses. Uses an array, because a V8 `Set` leaves old tables behind when it grows or shrinks. Such tables
 * keep finished responses in memory until the next full garbage collection.
 */
export class UnfinishedResponses {
  readonly #responses: TrackedResponse[] = [];

  get size(): number {
    return this.#responses.length;
  }

  add(response: TrackedResponse): void {
    response[indexKey] = this.#responses.push(response) - 1;
  }

  /** Removes a response. Repeated calls have no effect. */
  delete(response: TrackedResponse): void {
    const { [indexKey]: index = removed } = response;
    const last = this.#responses.at(-1);
    if (index === removed || !last) return;
    this.#responses[index] = last;
    last[indexKey] = index;
    this.#responses.pop();
    response[indexKey] = removed;
  }

  /** Returns a copy of the set, so that responses can be removed during iteration. */
  snapshot(): readonly ServerResponse[] {
    return [...this.#responses];
  }
}
