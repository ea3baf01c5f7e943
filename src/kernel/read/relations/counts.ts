import { sql as raw } from 'kysely';
import { mainRow, parameter, Shape } from '../../declare/expression.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import type { Session } from '../../session.js';
import { allConditions, queryBuilder, statementOf } from '../../statement.js';
import { referencedRowsOf } from '../conditions/reference-conditions-sql.js';
import { conditionsOf, type ListArgs, parentsTable } from '../list.js';
import { sourceOf } from './branch-statements.js';
import { conditionsOnSource, needsRowOf } from './branches.js';
import { belongsToParent, type Join } from './join.js';
import { rowCount } from './row-count-sql.js';

const countAll = raw<number>`count(*)::int`.as('n');

/** Returns the total number of rows in a list. */
export async function countMatchingRows(sql: Session, cls: RecordClass, filter: ListArgs['filter']): Promise<number> {
  const references = await referencedRowsOf(sql, cls, filter);
  const where = conditionsOf(sql, cls, filter, references);
  const conditions = conditionsOnSource(where);
  const { branches } = where;
  const { hasRowCount, table } = optionsOf(cls);
  if (hasRowCount && conditions.length === 0) {
    return rowCount(sql, table);
  }
  const disjointBranches = branches?.list.some(({ rank }) => rank !== undefined) ? null : branches;
  const alternatives = disjointBranches?.list.map(({ where }) =>
    conditions.map((condition, index) => (index === disjointBranches.index ? where : condition)),
  ) ?? [conditions];
  const usesNameTable = where.names.size > 0;
  const needsRow = needsRowOf(where);
  const shape = new Shape().add('count', cls.name, usesNameTable, ...alternatives);
  const statement = statementOf(
    shape,
    () => {
      const counts = alternatives.map((conditionList) =>
        sourceOf(cls, usesNameTable, needsRow).where(allConditions(conditionList)).select(countAll),
      );
      return queryBuilder.selectNoFrom(raw<number>`${raw.join(counts, raw.raw(' + '))}`.as('n'));
    },
    { planMode: usesNameTable ? 'custom' : 'generic' },
  );
  const [row] = await sql.statement(statement, shape.values);
  return Number(row?.n ?? 0);
}

/** Returns the total number of rows in each parent's list, in the order of the parents. */
export async function countsByParent(
  sql: Session,
  cls: RecordClass,
  join: Join,
  parents: readonly string[],
  filter: ListArgs['filter'],
): Promise<number[]> {
  const references = await referencedRowsOf(sql, cls, filter);
  const parentIds = parameter(parents);
  const conditions = [belongsToParent(cls, join, sql.caller, mainRow), ...conditionsOf(sql, cls, filter, references).conditions];
  const shape = new Shape().add('counts', cls.name, parentIds, conditions);
  const statement = statementOf(shape, () =>
    queryBuilder
      .selectFrom(parentsTable(parentIds))
      .crossJoinLateral((eb) =>
        eb
          .selectFrom(`${optionsOf(cls).table} as r`)
          .select(countAll)
          .where(allConditions(conditions))
          .as('c'),
      )
      .select([raw.ref('p.n').as('parent'), raw.ref('c.n').as('n')]),
  );
  const counts = parents.map(() => 0);
  for (const { parent, n } of await sql.statement(statement, shape.values)) counts[Number(parent) - 1] = Number(n);
  return counts;
}

/**
 * Returns the number of rows for each value of a column, separately for the list of each parent. If `join` is null, every list contains the
 * rows of the root list.
 */
export async function valueCountsByParent(
  sql: Session,
  cls: RecordClass,
  field: string,
  join: Join | null,
  parents: readonly string[],
  filter: ListArgs['filter'],
): Promise<ReadonlyMap<string, number>[]> {
  const references = await referencedRowsOf(sql, cls, filter);
  const parentIds = parameter(parents);
  const listConditions = conditionsOf(sql, cls, filter, references).conditions;
  const conditions = join === null ? listConditions : [belongsToParent(cls, join, sql.caller, mainRow), ...listConditions];
  const column = raw.ref(`r.${columnOf(metaOf(cls), field).column}`);
  const shape = new Shape().add('tallies', cls.name, field, parentIds, conditions);
  const statement = statementOf(shape, () =>
    queryBuilder
      .selectFrom(parentsTable(parentIds))
      .crossJoinLateral((eb) =>
        eb
          .selectFrom(`${optionsOf(cls).table} as r`)
          .select([raw<string>`${column}::text`.as('value'), countAll])
          .where(allConditions(conditions))
          .groupBy(column)
          .as('t'),
      )
      .select([raw.ref('p.n').as('parent'), raw.ref('t.value').as('value'), raw.ref('t.n').as('n')]),
  );
  const valueCounts = parents.map(() => new Map<string, number>());
  for (const { parent, value, n } of await sql.statement(statement, shape.values))
    valueCounts[Number(parent) - 1]?.set(String(value), Number(n));
  return valueCounts;
}
