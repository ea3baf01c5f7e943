/** In what two answers can differ. */
export type DifferenceKind =
  | 'status'
  | 'header'
  | 'no answer'
  | 'missing key'
  | 'extra key'
  | 'value'
  | 'type'
  | 'number form'
  | 'text form'
  | 'key order'
  | 'array order'
  | 'array length'
  | 'whitespace'
  | 'body';

/** One way in which the new answer is not what the old one is. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Where: `results[].seed` of the JSON, the name of a header, or empty for the whole. */
  readonly path: string;
  /** What stands there, as it is written. It may be personal. */
  readonly old: string;
  readonly new: string;
}

/** Collects differences, one of a kind at a path. */
export class Differences {
  readonly #found = new Map<string, Difference>();

  add(kind: DifferenceKind, path: string, old: string, now: string): void {
    const key = `${kind} ${path}`;
    if (!this.#found.has(key)) this.#found.set(key, { kind, path, old: old.slice(0, 200), new: now.slice(0, 200) });
  }

  get size(): number {
    return this.#found.size;
  }

  all(): Difference[] {
    return [...this.#found.values()];
  }
}

const ofOrder: ReadonlySet<DifferenceKind> = new Set<DifferenceKind>(['key order', 'array order', 'array length', 'whitespace']);

const isBelow = (path: string, above: string) => path.startsWith(`${above}.`) || path.startsWith(`${above}[`);

/**
 * Whether a difference is one that the old server's own answers have, too: what stands at a path changes by itself there. That lists come in
 * another order each time does not excuse what their items hold.
 */
export const isNoise = (
  difference: Pick<Difference, 'kind' | 'path'>,
  noise: Iterable<Pick<Difference, 'kind' | 'path'>>,
): boolean => {
  for (const { kind, path } of noise) {
    if (ofOrder.has(kind) || kind === 'status' || kind === 'header' || kind === 'body') {
      if (kind === difference.kind && path === difference.path) return true;
    } else if (difference.kind !== 'header' && difference.kind !== 'status') {
      if (isBelow(difference.path, path) || (path === difference.path && !ofOrder.has(difference.kind))) return true;
    }
  }
  return false;
};
