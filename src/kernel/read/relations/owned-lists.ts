import { expression, mainRow, parameter, Shape } from '../../declare/expression.js';
import { metaOf, type RecordClass } from '../../declare/meta.js';
import { failForbidden, userTokenCredential } from '../../declare/policy/policy-error.js';
import { optionsOf } from '../../declare/record.js';
import { toWords } from '../../declare/scalars/words.js';
import { allConditions, queryBuilder, statementOf } from '../../statement.js';
import { isOwnRow, ownerRecordOf, readAllPolicies, seesOnlyOwnRows } from '../conditions/visible.js';
import type { ListArgs } from '../list.js';
import { type Join, joinName } from './join.js';
import type { Loaders } from './loaders.js';

type Filter = Readonly<Record<string, unknown>>;

/** Conditions that a filter sets on one field. Conditions in `not` are negated. */
interface FieldCondition {
  readonly field: string;
  /** Values that rows must have. */
  readonly includedValues: readonly unknown[];
  /** Values that rows must not have. */
  readonly excludedValues: readonly unknown[];
  /** Whether rows must have no value. */
  readonly isUnset: boolean;
}

const isFilter = (value: unknown): value is Filter => typeof value === 'object' && value !== null;

/** Converts a condition on the ID of a related record to a condition on the foreign key: `user: { id: … }` becomes `userId: …`. */
function foreignKeyCondition(cls: RecordClass, name: string, condition: Filter): readonly [field: string, condition: Filter] {
  const key = isFilter(condition.id) ? [...metaOf(cls).fields.values()].find(({ ref }) => ref?.one === name) : undefined;
  return key && isFilter(condition.id) ? [key.name, condition.id] : [name, condition];
}

function* fieldConditionsOf(cls: RecordClass, filter: Filter, isPositive = true): Iterable<FieldCondition> {
  for (const [name, condition] of Object.entries(filter)) {
    if (!isFilter(condition)) continue;
    if (name === 'not') yield* fieldConditionsOf(cls, condition, !isPositive);
    else if (Array.isArray(condition)) for (const part of condition) yield* fieldConditionsOf(cls, part, isPositive);
    else {
      const [field, { eq, in: list, ne, isNull }] = foreignKeyCondition(cls, name, condition);
      const includedIds = [eq, list].flat().filter((id) => id !== undefined);
      const excludedIds = ne === undefined ? [] : [ne];
      yield {
        field,
        includedValues: isPositive ? includedIds : excludedIds,
        excludedValues: isPositive ? excludedIds : includedIds,
        isUnset: isNull === isPositive,
      };
    }
  }
}

/** Returns the field that contains the owner of a row. Undefined if the rows of the record have no owner. */
function ownerOf(cls: RecordClass | undefined): string | undefined {
  const { ownerField, write } = cls ? optionsOf(cls) : {};
  // Each user owns one row of the user record. This ownership is ignored, because callers with read permission for a list of users can
  // filter it by any user.
  return ownerField ?? (write?.owner === 'id' ? undefined : write?.owner);
}

/**
 * Whether at least one of the rows belongs to another user. Ignores rows without an owner. If users see only their own rows, the result is
 * also true for IDs without a row, because callers must not learn which IDs exist.
 */
async function belongToOthers(loaders: Loaders, cls: RecordClass, ids: readonly unknown[]): Promise<boolean> {
  const ownerColumn = ownerOf(cls) ?? '';
  const { ownerField, table } = optionsOf(cls);
  const belongsToOther = loaders.batchLoader(`${cls.name} of others`, async (keys) => {
    const isOwned = isOwnRow(cls, ownerColumn, parameter(loaders.sql.caller.user?.id ?? ''), mainRow);
    const conditions = [expression`r.id = any(${parameter(keys)})`, ownerField ? isOwned : expression`not (${isOwned})`];
    const shape = new Shape().add('of others', cls.name, conditions);
    const statement = statementOf(shape, () =>
      queryBuilder.selectFrom(`${table} as r`).select('r.id as id').where(allConditions(conditions)),
    );
    const matchingIds = new Set((await loaders.sql.statement(statement, shape.values)).map(({ id }) => id));
    return keys.map((key) => matchingIds.has(key) !== Boolean(ownerField));
  });
  return (await Promise.all(ids.map((id) => belongsToOther(String(id))))).some(Boolean);
}

/** Whether a condition selects rows of other users, in a list in which users see only their own rows. */
async function selectsRowsOfOthers(
  loaders: Loaders,
  cls: RecordClass,
  ownerField: string,
  condition: FieldCondition,
): Promise<boolean> {
  const { field, includedValues, excludedValues, isUnset } = condition;
  const ownerRecord = ownerRecordOf(cls);
  if (field === ownerField) {
    if (isUnset) return true;
    if (ownerRecord) return belongToOthers(loaders, ownerRecord, includedValues);
    const callerId = loaders.sql.caller.user?.id;
    return includedValues.some((id) => id !== callerId) || excludedValues.includes(callerId);
  }
  const target = metaOf(cls).fields.get(field)?.ref?.target();
  return target !== undefined && ownerOf(target) !== undefined && belongToOthers(loaders, target, includedValues);
}

function rejectList(cls: RecordClass): never {
  const many = toWords(optionsOf(cls).many);
  failForbidden(
    ...readAllPolicies(cls).flatMap(({ credentials }) => credentials),
    userTokenCredential(`of the owner of the ${many}`),
  );
}

/**
 * Throws FORBIDDEN if users see only their own rows in a list, and a filter condition selects rows of other users. An empty list would be
 * misleading. Conditions on other owners are always rejected. Other conditions are rejected only if the list is empty. Otherwise, the
 * caller owns rows that refer to rows of another user, such as the invoice item for the entry of a partner.
 */
export async function checkOwnedList(loaders: Loaders, cls: RecordClass, { filter }: ListArgs): Promise<void> {
  const { ownerField } = optionsOf(cls);
  if (!ownerField || !filter || !seesOnlyOwnRows(cls, loaders.sql.caller)) return;
  for (const condition of fieldConditionsOf(cls, filter)) {
    if (!(await selectsRowsOfOthers(loaders, cls, ownerField, condition))) continue;
    if (condition.field === ownerField || (await loaders.count(cls, filter)) === 0) rejectList(cls);
  }
}

/** Like `checkOwnedList`, for the list of a parent row. `parentRecord` is the record of that row. */
export async function checkOwnedListOfParent(
  loaders: Loaders,
  cls: RecordClass,
  parentRecord: RecordClass,
  join: Join,
  parent: string,
): Promise<void> {
  const { ownerField } = optionsOf(cls);
  if (!ownerField || !seesOnlyOwnRows(cls, loaders.sql.caller)) return;
  if (joinName(join) === ownerField && !ownerRecordOf(cls)) {
    if (parent !== loaders.sql.caller.user?.id) rejectList(cls);
  } else if (ownerOf(parentRecord) && (await belongToOthers(loaders, parentRecord, [parent]))) {
    if (joinName(join) === ownerField || (await loaders.count(cls, null, join, parent)) === 0) rejectList(cls);
  }
}
