import { sql as raw } from 'kysely';
import { pathIn, reject } from '../../declare/errors.js';
import { Shape } from '../../declare/expression.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import { formatInteger, toWords } from '../../declare/scalars/words.js';
import type { Session } from '../../session.js';
import { allConditions, queryBuilder, statementOf } from '../../statement.js';
import { referencedRowsOf } from '../conditions/reference-conditions-sql.js';
import { conditionsOf, type ListArgs } from '../list.js';
import { sourceOf } from '../relations/branch-statements.js';
import { conditionsOnSource, needsRowOf } from '../relations/branches.js';
import { rowCount } from '../relations/row-count-sql.js';
import { distanceKey, indexDirection, sortLimit } from './order.js';

/**
 * Whether a list is sorted without an index and can be long, because its record has the option `hasRowCount`. Only the first field of
 * `orderBy` is relevant.
 */
function isSortedWithoutIndex(cls: RecordClass, { orderBy }: ListArgs): boolean {
  const [first] = orderBy ?? [];
  if (!first || !optionsOf(cls).hasRowCount || first.field === distanceKey) return false;
  if (optionsOf(cls).orders?.[first.field]) return true;
  return !indexDirection(cls, columnOf(metaOf(cls), first.field));
}

/** Throws BAD_INPUT if a long list would be sorted without an index. Returns null if no query is needed to check this. */
export const checkSortable = (sql: Session, cls: RecordClass, args: ListArgs): Promise<void> | null =>
  isSortedWithoutIndex(cls, args) ? checkLength(sql, cls, args.filter) : null;

async function checkLength(sql: Session, cls: RecordClass, filter: ListArgs['filter']): Promise<void> {
  const { table, many } = optionsOf(cls);
  const { rows } = sortLimit;
  if ((await rowCount(sql, table)) <= rows) return;
  const references = await referencedRowsOf(sql, cls, filter);
  const where = conditionsOf(sql, cls, filter, references);
  const conditions = conditionsOnSource(where);
  if (conditions.length > 0) {
    const usesNameTable = where.names.size > 0;
    const shape = new Shape().add('length', cls.name, usesNameTable, conditions, rows);
    const statement = statementOf(shape, () => {
      const limitedRows = sourceOf(cls, usesNameTable, needsRowOf(where))
        .where(allConditions(conditions))
        .select(raw.lit(1).as('one'))
        .limit(raw.lit(rows + 1));
      return queryBuilder.selectFrom(limitedRows.as('rows')).select(raw<number>`count(*)::int`.as('n'));
    });
    const [result] = await sql.statement(statement, shape.values);
    if (Number(result?.n ?? 0) <= rows) return;
  }
  const length = `${formatInteger(rows)} ${toWords(many)}`;
  reject(`${pathIn('orderBy', 0)}.field`, `an indexed field, or a filter that matches at most ${length}`);
}
