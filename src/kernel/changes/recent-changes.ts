import type { Change } from './change.js';

/** Number of preceding positions that a checksum covers. Must exceed the distance between positions of overlapping transactions. */
export const checksumRange = 2_000;

/** Minimum number of recent changes in memory, if the log has that many. Must exceed `checksumRange`. */
export const minRecentChanges = 5_000;

/** Returns the 32-bit FNV-1a hash of a text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}

const hashOf = ({ position, at, record, id }: Change): number => hash(`${position} ${at} ${record} ${id}`);

const format = (lineage: string, sum: number): string => hash(`${lineage} ${sum >>> 0}`).toString(36);

/** Returns the checksum of changes in a log. `changes` must contain all changes between `RecentChanges.checksumStart` and a position. */
export const checksumOf = (lineage: string, changes: readonly Change[]): string =>
  format(
    lineage,
    changes.reduce((sum, change) => (sum + hashOf(change)) | 0, 0),
  );

/** Cache of the latest changes of a log. Serves subscribers that resume and computes checksums to compare logs after a failover. */
export class RecentChanges {
  #changes: Change[] = [];
  /** For each change in memory, the sum of its hash and the hashes of all changes added before it, modulo 2^32. */
  #sums: number[] = [];
  #sumBefore = 0;
  #start = 0;
  /** All changes up to this position have been removed from the log. */
  lastRemoved = 0;

  /** All changes after this position are in memory. */
  get start(): number {
    return this.#start;
  }

  /** Discards all changes. The next changes to add are those after `position`. */
  restart(position: number): void {
    this.#changes = [];
    this.#sums = [];
    this.#sumBefore = 0;
    this.#start = position;
  }

  add(changes: readonly Change[]): void {
    for (const change of changes) {
      this.#sums.push(((this.#sums.at(-1) ?? this.#sumBefore) + hashOf(change)) | 0);
      this.#changes.push(change);
    }
    if (this.#changes.length <= 2 * minRecentChanges) return;
    const removedCount = this.#changes.length - minRecentChanges;
    this.#start = this.#changes.splice(0, removedCount).at(-1)?.position ?? this.#start;
    this.#sumBefore = this.#sums.splice(0, removedCount).at(-1) ?? this.#sumBefore;
  }

  /** Returns the matching changes after a position. */
  after(position: number, matches: (change: Change) => boolean): Change[] {
    return this.#changes.slice(this.#countUpTo(position)).filter(matches);
  }

  /** Returns the start of the range that the checksum of a position covers. The range excludes its start. */
  checksumStart(position: number): number {
    return Math.max(position - checksumRange, this.lastRemoved);
  }

  /** Returns the checksum of a position. Undefined if a change in its range is not in memory. */
  checksumAt(position: number, lineage: string): string | undefined {
    const start = this.checksumStart(position);
    return start < this.#start ? undefined : this.checksumAfter(start, position, lineage);
  }

  /** Returns the checksum of the changes in a range of positions. */
  checksumAfter(start: number, position: number, lineage: string): string {
    return format(lineage, this.#sumUpTo(position) - this.#sumUpTo(start));
  }

  #sumUpTo(position: number): number {
    return this.#sums[this.#countUpTo(position) - 1] ?? this.#sumBefore;
  }

  /** Returns the number of changes in memory up to a position. */
  #countUpTo(position: number): number {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.position ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
