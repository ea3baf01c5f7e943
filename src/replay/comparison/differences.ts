/** Kinds of differences between two responses. */
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

/** A difference between the old and the new response. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Path: `results[].seed` in the JSON, the name of a header, or empty for the whole response. */
  readonly path: string;
  /** Values in their notation. May be personal data. */
  readonly old: string;
  readonly new: string;
}

/** Collects differences, one per kind and path. */
export class Differences {
  readonly #byKey = new Map<string, Difference>();

  add(kind: DifferenceKind, path: string, oldValue: string, newValue: string): void {
    const key = `${kind} ${path}`;
    if (!this.#byKey.has(key)) this.#byKey.set(key, { kind, path, old: oldValue.slice(0, 200), new: newValue.slice(0, 200) });
  }

  get size(): number {
    return this.#byKey.size;
  }

  all(): Difference[] {
    return [...this.#byKey.values()];
  }
}

const orderKinds: ReadonlySet<DifferenceKind> = new Set<DifferenceKind>([
  'key order',
  'array order',
  'array length',
  'whitespace',
]);

const isBelow = (path: string, parent: string) => path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);

/**
 * Whether repeated responses of the old server also differ in this way, because the value at the path is not stable. Unstable
 * array order does not excuse differences in the items.
 */
export const isNoise = (
  difference: Pick<Difference, 'kind' | 'path'>,
  noise: Iterable<Pick<Difference, 'kind' | 'path'>>,
): boolean => {
  for (const { kind, path } of noise) {
    if (orderKinds.has(kind) || kind === 'status' || kind === 'header' || kind === 'body') {
      if (kind === difference.kind && path === difference.path) return true;
    } else if (difference.kind !== 'header' && difference.kind !== 'status') {
      if (isBelow(difference.path, path) || (path === difference.path && !orderKinds.has(difference.kind))) return true;
    }
  }
  return false;
};
