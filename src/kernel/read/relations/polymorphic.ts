import { constantSql, expression, type RowReference, type SqlExpression } from '../../declare/expression.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import type { Row } from '../../declare/row.js';
import { withArticle as oneOf } from '../../declare/scalars/words.js';
import { type FilterRelation, joinById } from '../conditions/filter-relations.js';

/** Possible target records of a polymorphic relation. */
export interface PolymorphicTargets {
  readonly name: string;
  /** GraphQL union or interface that contains the records. */
  readonly type: object;
  /** Records, keyed by the GraphQL value of the kind column. */
  readonly records: Readonly<Record<string, RecordClass>>;
}

/** Keys of the columns that contain the ID of the target and, if it is stored, its kind. */
export interface PolymorphicKey {
  readonly id: string;
  readonly kind?: string;
}

/** Filterable polymorphic relation. It consists of one relation for each possible record. */
export interface PolymorphicRelation {
  readonly name: string;
  readonly description: string;
  readonly relations: ReadonlyMap<string, FilterRelation>;
}

const relationsByRecord = new Map<RecordClass, Map<string, PolymorphicRelation>>();
const noRelations: ReadonlyMap<string, PolymorphicRelation> = new Map();

/** Returns the filterable polymorphic relations of a record, by name. */
export const polymorphicRelationsOf = (cls: RecordClass): ReadonlyMap<string, PolymorphicRelation> =>
  relationsByRecord.get(cls) ?? noRelations;

/** Kind of rows whose target can belong to any record. Rows without a kind are treated in the same way. */
const otherKind = 'OTHER';

const kindInGraph = (cls: RecordClass, kind: string) => {
  const { column, field } = columnOf(metaOf(cls), kind);
  const sql = (row: RowReference): SqlExpression => field.conversion?.sql(row.column(column), row) ?? row.column(column);
  return { sql, show: field.conversion?.toGraph };
};

/**
 * Returns a function that maps the kind of a row to its target record. If the kind is unset or `OTHER`, the function returns all possible
 * records.
 */
export function targetsOf(
  cls: RecordClass,
  { kind }: PolymorphicKey,
  { records }: PolymorphicTargets,
): (row: Row) => readonly RecordClass[] {
  const allRecords = Object.values(records);
  if (!kind) return () => allRecords;
  const { show: toGraph } = kindInGraph(cls, kind);
  const targetsByKind = new Map(Object.entries(records).map(([name, record]) => [name, [record]]));
  return (row) => {
    const storedKind = row[kind];
    const graphKind = storedKind === null || storedKind === undefined || !toGraph ? storedKind : toGraph(storedKind);
    return graphKind === null || graphKind === undefined || graphKind === otherKind
      ? allRecords
      : (targetsByKind.get(String(graphKind)) ?? []);
  };
}

/** Adds a filterable polymorphic relation. */
export function addPolymorphicRelation(
  cls: RecordClass,
  name: string,
  { id, kind }: PolymorphicKey,
  targets: PolymorphicTargets,
  description: string,
): void {
  const { column } = columnOf(metaOf(cls), id);
  const relations = new Map<string, FilterRelation>();
  for (const [value, target] of Object.entries(targets.records)) {
    const kindSql = kind && kindInGraph(cls, kind).sql;
    const [other, kinds] = [constantSql(`'${otherKind}'`), constantSql(`'${value}', '${otherKind}'`)];
    const key: FilterRelation['key'] = (_, row) =>
      kindSql
        ? expression`(case when coalesce(${kindSql(row)}, ${other}) in (${kinds}) then ${row.column(column)} end)`
        : row.column(column);
    relations.set(optionsOf(target).one, {
      target,
      isList: false,
      description: `The record is ${oneOf(optionsOf(target).one)} and meets these conditions.`,
      joinClauses: joinById,
      key,
    });
  }
  const recordRelations = relationsByRecord.get(cls) ?? new Map<string, PolymorphicRelation>();
  relationsByRecord.set(cls, recordRelations.set(name, { name: targets.name, description, relations }));
}
