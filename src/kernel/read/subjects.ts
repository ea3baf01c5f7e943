import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { one as oneOf } from '../declare/words.js';
import { byKey, type RelationStep } from './steps.js';

/** Possible target records of a polymorphic relation. */
export interface Subjects {
  readonly name: string;
  /** GraphQL union or interface of the records. */
  readonly type: object;
  /** Records by the GraphQL value of the kind column. */
  readonly records: Readonly<Record<string, RecordClass>>;
}

/** Columns of a polymorphic relation: the ID of the target, and its kind, if stored. */
export interface Meaning {
  readonly id: string;
  readonly kind?: string;
}

/** A filterable polymorphic relation, with one relation for each possible record. */
export interface Fork {
  readonly name: string;
  readonly description: string;
  readonly ways: ReadonlyMap<string, RelationStep>;
}

const forks = new Map<RecordClass, Map<string, Fork>>();
const none: ReadonlyMap<string, Fork> = new Map();

/** Filterable polymorphic relations of a record, by name. */
export const forksOf = (cls: RecordClass): ReadonlyMap<string, Fork> => forks.get(cls) ?? none;

/** Kind of rows whose target can be any record, like rows without a kind. */
const other = 'OTHER';

const shownKind = (cls: RecordClass, kind: string) => {
  const { column, field } = columnOf(metaOf(cls), kind);
  const sql = (row: string) => field.shown?.sql(`${row}.${column}`) ?? `${row}.${column}`;
  return { sql, show: field.shown?.show };
};

/** Returns a function for the possible target records of a row: that of its kind, or all records if it has no kind or `OTHER`. */
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

/** Adds a filterable polymorphic relation. */
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
