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
  /** JSON path such as `results[].seed`, or the name of a header. Empty for the whole response. */
  readonly path: string;
  /** Values in their JSON notation, at most 200 characters. They can contain personal data. */
  readonly old: string;
  readonly new: string;
}

/** Collects differences. Keeps the first difference for each kind and path. */
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
 * Whether a difference is noise: responses of the old server also differ from each other at this path or at one of its parents. Noise in the
 * order or the length of an array does not include differences between its items.
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
