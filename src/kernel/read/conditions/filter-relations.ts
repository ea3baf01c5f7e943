import { allOf, anyOf, expression, type RowReference, type SqlExpression, tableNamed } from '../../declare/expression.js';
import { type Column, columnsOf, metaOf, type RecordClass, recordMetas } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { optionsOf } from '../../declare/record.js';
import { camelCaseKey, describeList } from '../../declare/scalars/words.js';
import { type Join, type JoinClause, joinClausesOf } from '../relations/join.js';
import { searchablePart } from './restriction.js';

/** Relation from a row to related rows, on which filters can set conditions. */
export interface FilterRelation {
  readonly target: RecordClass;
  readonly isList: boolean;
  readonly description: string;
  /** Returns the conditions for related rows. `row` is the related row, and `row.key` is the key of the source row. */
  joinClauses(caller: Caller, row: RowReference): readonly JoinClause[];
  /** Returns the SQL expression for the key of the source row, such as a foreign key or the ID. */
  key(caller: Caller, row: RowReference): SqlExpression;
}

const addedRelations = new Map<RecordClass, Map<string, FilterRelation>>();
const relationsByRecord = new Map<RecordClass, ReadonlyMap<string, FilterRelation>>();

const inverseRelation = (cls: RecordClass, join: Join, description: string): FilterRelation => ({
  target: cls,
  isList: true,
  description,
  joinClauses: (caller, row) => joinClausesOf(cls, join, caller, row),
  key: (_, row) => row.column('id'),
});

/** Adds a filterable relation that is not declared on a foreign key. */
export function addFilterRelation(source: RecordClass, name: string, cls: RecordClass, join: Join, description: string): void {
  const relations = addedRelations.get(source) ?? new Map<string, FilterRelation>();
  addedRelations.set(source, relations.set(name, inverseRelation(cls, join, description)));
}

/** Returns the SQL that joins the related row by its ID, which is the value of the foreign key. */
export const joinById: FilterRelation['joinClauses'] = (_, row) => [
  { through: null, condition: expression`${row}.id = ${row.key}` },
];
const joinByIds: FilterRelation['joinClauses'] = (_, row) => [
  { through: null, condition: expression`${row}.id = any(${row.key})` },
];

/** Whether a column is neither secret nor private. Inverse relations of other columns cannot be used in filters. */
const hasFilterableInverse = ({ field }: Column): boolean => !field.secret && !field.private;

function* foreignKeyRelations(cls: RecordClass): Iterable<[string, FilterRelation]> {
  const meta = metaOf(cls);
  for (const column of columnsOf(meta).values()) {
    const { key, field } = column;
    const { ref, description } = field;
    // Secret foreign keys also have relations in the graph.
    if (!ref?.one || !ref.isFilterable || field.private) continue;
    const target = ref.target();
    // If the column is in a group, the name of the relation starts with the name of the group.
    const name = camelCaseKey([...key.split('.').slice(0, -1), ref.one].join('.'));
    const keyColumn = (row: RowReference) => row.column(column.column);
    if (field.kind === 'list') {
      const keys = (caller: Caller, row: RowReference) => searchablePart(meta, column, caller, row) ?? keyColumn(row);
      yield [name, { target, isList: true, description, joinClauses: joinByIds, key: keys }];
    } else yield [name, { target, isList: false, description, joinClauses: joinById, key: (_, row) => keyColumn(row) }];
  }
}

function* inverseRelations(target: RecordClass): Iterable<[string, FilterRelation]> {
  for (const meta of recordMetas())
    for (const column of columnsOf(meta).values()) {
      const { ref } = column.field;
      if (!ref?.many || !ref.isInverseFilterable || ref.target() !== target || !hasFilterableInverse(column)) continue;
      const description = ref.manyDescription ?? describeList(optionsOf(meta.cls).many, optionsOf(target).one);
      yield [ref.many, inverseRelation(meta.cls, column.key, description)];
    }
}

/** Returns the relations added by `addFilterRelation`. Sorted by name, because they are added in the order of imports. */
const addedRelationsOf = (cls: RecordClass): [string, FilterRelation][] =>
  [...(addedRelations.get(cls) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));

/**
 * Returns the filterable relations of a record, by name. They come from its foreign keys, from the foreign keys of other records, and from
 * `addFilterRelation`.
 */
export function filterRelationsOf(cls: RecordClass): ReadonlyMap<string, FilterRelation> {
  const relations =
    relationsByRecord.get(cls) ?? new Map([...foreignKeyRelations(cls), ...inverseRelations(cls), ...addedRelationsOf(cls)]);
  relationsByRecord.set(cls, relations);
  return relations;
}

/**
 * Returns the SQL condition that at least one related row meets the conditions. The alias of the related row depends on `depth`, because
 * aliases must be unique in nested relations.
 */
export function existsRelatedRow(
  relation: FilterRelation,
  conditions: (row: RowReference) => readonly SqlExpression[],
  depth: number,
  caller: Caller,
  row: RowReference,
): SqlExpression {
  const relatedRow = row.for(`r${depth}`);
  const table = tableNamed(optionsOf(relation.target).table);
  const rowConditions = conditions(relatedRow);
  const predicates = relation
    .joinClauses(caller, relatedRow.for(relatedRow.alias, relation.key(caller, row)))
    .map(({ through, condition }) => {
      const related = expression`${table} as ${relatedRow}`;
      const from = through ? expression`${through}, ${related}` : related;
      return expression`exists (select from ${from} where ${allOf([condition, ...rowConditions])})`;
    });
  return predicates.length > 1 ? expression`(${anyOf(predicates)})` : anyOf(predicates);
}
