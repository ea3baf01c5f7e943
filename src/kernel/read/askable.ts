import { legacyOf } from '../declare/legacy-fields.js';
import { type Column, columnsOf, isAskable, isProse, metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import { oneName } from '../declare/words.js';
import { type RelationStep, relationSteps } from './steps.js';
import { type Fork, forksOf } from './subjects.js';

const filterable = (meta: RecordMeta) =>
  [...columnsOf(meta).values()].filter(
    ({ field }) => !field.secret && isAskable(field) && !field.isVersion && field.kind !== 'json' && !isProse(field),
  );

/** Columns in the filter `legacy`, by field name. Excludes texts that name a record, because their own filters already compare stored values. */
const filterableInLegacy = (columns: readonly Column[]): [string, Column][] =>
  columns.flatMap((column): [string, Column][] => {
    const { key, field } = column;
    const stored = field.shown || field.onlyInLegacy ? legacyOf(field) : null;
    return stored ? [[oneName(key.replace(/[^.]+$/, stored.name)), { ...column, field: stored }]] : [];
  });

/** Filterable elements of a record, by filter field. The column `location.city` is `locationCity`. */
export interface Askable {
  readonly columns: ReadonlyMap<string, Column>;
  /** Columns in the filter `legacy`. */
  readonly legacy: ReadonlyMap<string, Column>;
  readonly steps: ReadonlyMap<string, RelationStep>;
  readonly forks: ReadonlyMap<string, Fork>;
}

const askables = new Map<RecordClass, Askable>();

export function askableOf(cls: RecordClass): Askable {
  const known = askables.get(cls);
  if (known) return known;
  const all = filterable(metaOf(cls));
  const columns = new Map(all.flatMap((column) => (column.field.onlyInLegacy ? [] : [[oneName(column.key), column] as const])));
  const legacy = new Map(filterableInLegacy(all));
  const made = { columns, legacy, steps: relationSteps(cls), forks: forksOf(cls) };
  askables.set(cls, made);
  return made;
}
