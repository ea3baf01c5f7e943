import type { ServerResponse } from 'node:http';

const place = Symbol('place');

const gone = -1;

type Placed = ServerResponse & { [place]?: number };

/**
 * The answers that clients wait for, in no order. It is no Set: each time that one makes room, the table that it leaves behind points to the
 * next one, and once V8 takes a table for old, all answers in those after it live on, with all that they are made of, until the whole heap is
 * collected.
 */
export class InFlight {
  readonly #all: Placed[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(response: Placed): void {
    response[place] = this.#all.push(response) - 1;
  }

  /** Takes one out, as often as one likes. */
  delete(response: Placed): void {
    const { [place]: at = gone } = response;
    const last = this.#all.at(-1);
    if (at === gone || !last) return;
    this.#all[at] = last;
    last[place] = at;
    this.#all.pop();
    response[place] = gone;
  }

  /** All of them, of which any may be taken out meanwhile. */
  all(): readonly ServerResponse[] {
    return [...this.#all];
  }
}
