import { type Column, columnsOf, isAskable, isProse, metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import { isNameOf, rawOf } from '../declare/shown.js';
import { oneName } from '../declare/words.js';
import { type RelationStep, relationSteps } from './steps.js';
import { type Fork, forksOf } from './subjects.js';

const filterable = (meta: RecordMeta) =>
  [...columnsOf(meta).values()]
    .filter(({ field }) => !field.secret && isAskable(field) && !field.isVersion && field.kind !== 'json' && !isProse(field))
    .flatMap((column) => [...(isNameOf(column.field) ? [] : [column]), ...rawColumn(column)]);

/** The same column as it is kept, where the graph shows something else or the record that it names. */
function rawColumn({ key, column, field }: Column): Column[] {
  const raw = rawOf(field);
  return raw ? [{ key: key.replace(/[^.]+$/, raw.name), column, field: raw }] : [];
}

/** What a record's filter may ask for, by the filter's names: `location.city` is `locationCity` there. */
interface Askable {
  readonly columns: ReadonlyMap<string, Column>;
  readonly steps: ReadonlyMap<string, RelationStep>;
  readonly forks: ReadonlyMap<string, Fork>;
}

const askables = new Map<RecordClass, Askable>();

export function askableOf(cls: RecordClass): Askable {
  const known = askables.get(cls);
  if (known) return known;
  const columns = new Map(filterable(metaOf(cls)).map((column) => [oneName(column.key), column]));
  const made = { columns, steps: relationSteps(cls), forks: forksOf(cls) };
  askables.set(cls, made);
  return made;
}
