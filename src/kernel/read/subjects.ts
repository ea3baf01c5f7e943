import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { one as oneOf } from '../declare/words.js';
import { byKey, type RelationStep } from './steps.js';

/** Records of which a row may mean one, under the name that the graph has for all of them. */
export interface Subjects {
  readonly name: string;
  /** The union or interface of the graph. */
  readonly type: object;
  /** By what the column with the kind shows. */
  readonly records: Readonly<Record<string, RecordClass>>;
}

/** The columns that say which one a row means: its id, and its kind, where that is kept. */
export interface Meaning {
  readonly id: string;
  readonly kind?: string;
}

/** The steps of filters to what a row means, one for each record that it may be. */
export interface Fork {
  readonly name: string;
  readonly description: string;
  readonly ways: ReadonlyMap<string, RelationStep>;
}

const forks = new Map<RecordClass, Map<string, Fork>>();
const none: ReadonlyMap<string, Fork> = new Map();

/** The relations of a record that lead to one of several records. */
export const forksOf = (cls: RecordClass): ReadonlyMap<string, Fork> => forks.get(cls) ?? none;

/** A kind under which anything may be kept: it says no more than none. */
const other = 'OTHER';

const shownKind = (cls: RecordClass, kind: string) => {
  const { column, field } = columnOf(metaOf(cls), kind);
  const sql = (row: string) => field.shown?.sql(`${row}.${column}`) ?? `${row}.${column}`;
  return { sql, show: field.shown?.show };
};

/** Which records a row may mean: that of its kind, or each where it states none that is known. */
export function meantOf(cls: RecordClass, { kind }: Meaning, { records }: Subjects): (row: Row) => readonly RecordClass[] {
  const all = Object.values(records);
  if (!kind) return () => all;
  const { show } = shownKind(cls, kind);
  const byKind = new Map(Object.entries(records).map(([name, record]) => [name, [record]]));
  return (row) => {
    const kept = row[kind];
    const shown = kept === null || kept === undefined || !show ? kept : show(kept);
    return shown === null || shown === undefined || shown === other ? all : (byKind.get(String(shown)) ?? []);
  };
}

/** Makes what a row means a relation of filters. */
export function addFork(cls: RecordClass, name: string, { id, kind }: Meaning, subjects: Subjects, description: string): void {
  const { column } = columnOf(metaOf(cls), id);
  const ways = new Map<string, RelationStep>();
  for (const [value, target] of Object.entries(subjects.records)) {
    const shown = kind && shownKind(cls, kind).sql;
    const key: RelationStep['key'] = (_, { row }) =>
      shown
        ? `(case when coalesce(${shown(row)}, '${other}') in ('${value}', '${other}') then ${row}.${column} end)`
        : `${row}.${column}`;
    ways.set(optionsOf(target).one, {
      target,
      isList: false,
      description: `It is ${oneOf(optionsOf(target).one)}, and meets these conditions.`,
      leads: byKey,
      key,
    });
  }
  const own = forks.get(cls) ?? new Map<string, Fork>();
  forks.set(cls, own.set(name, { name: subjects.name, description, ways }));
}
