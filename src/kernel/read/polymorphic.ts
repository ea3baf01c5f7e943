import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { withArticle as oneOf } from '../declare/words.js';
import { byKey, type FilterRelation } from './filter-relations.js';

/** Possible target records of a polymorphic relation. */
export interface PolymorphicTargets {
  readonly name: string;
  /** GraphQL union or interface of the records. */
  readonly type: object;
  /** Records by the GraphQL value of the kind column. */
  readonly records: Readonly<Record<string, RecordClass>>;
}

/** Columns of a polymorphic relation: the ID of the target, and its kind, if stored. */
export interface PolymorphicKey {
  readonly id: string;
  readonly kind?: string;
}

/** A filterable polymorphic relation, with one relation for each possible record. */
export interface PolymorphicRelation {
  readonly name: string;
  readonly description: string;
  readonly relations: ReadonlyMap<string, FilterRelation>;
}

const relationsByRecord = new Map<RecordClass, Map<string, PolymorphicRelation>>();
const none: ReadonlyMap<string, PolymorphicRelation> = new Map();

/** Filterable polymorphic relations of a record, by name. */
export const polymorphicRelationsOf = (cls: RecordClass): ReadonlyMap<string, PolymorphicRelation> =>
  relationsByRecord.get(cls) ?? none;

/** Kind of rows whose target can be any record, like rows without a kind. */
const other = 'OTHER';

const shownKind = (cls: RecordClass, kind: string) => {
  const { column, field } = columnOf(metaOf(cls), kind);
  const sql = (row: string) => field.conversion?.sql(`${row}.${column}`) ?? `${row}.${column}`;
  return { sql, show: field.conversion?.toGraph };
};

/** Returns a function for the possible target records of a row: that of its kind, or all records if it has no kind or `OTHER`. */
export function targetsOf(
  cls: RecordClass,
  { kind }: PolymorphicKey,
  { records }: PolymorphicTargets,
): (row: Row) => readonly RecordClass[] {
  const all = Object.values(records);
  if (!kind) return () => all;
  const { show } = shownKind(cls, kind);
  const byKind = new Map(Object.entries(records).map(([name, record]) => [name, [record]]));
  return (row) => {
    const stored = row[kind];
    const shown = stored === null || stored === undefined || !show ? stored : show(stored);
    return shown === null || shown === undefined || shown === other ? all : (byKind.get(String(shown)) ?? []);
  };
}

/** Adds a filterable polymorphic relation. */
export function addPolymorphicRelation(
  cls: RecordClass,
  name: string,
  { id, kind }: PolymorphicKey,
  subjects: PolymorphicTargets,
  description: string,
): void {
  const { column } = columnOf(metaOf(cls), id);
  const relations = new Map<string, FilterRelation>();
  for (const [value, target] of Object.entries(subjects.records)) {
    const shown = kind && shownKind(cls, kind).sql;
    const key: FilterRelation['key'] = (_, { row }) =>
      shown
        ? `(case when coalesce(${shown(row)}, '${other}') in ('${value}', '${other}') then ${row}.${column} end)`
        : `${row}.${column}`;
    relations.set(optionsOf(target).one, {
      target,
      isList: false,
      description: `It is ${oneOf(optionsOf(target).one)}, and meets these conditions.`,
      joinClauses: byKey,
      key,
    });
  }
  const recordRelations = relationsByRecord.get(cls) ?? new Map<string, PolymorphicRelation>();
  relationsByRecord.set(cls, recordRelations.set(name, { name: subjects.name, description, relations }));
}
