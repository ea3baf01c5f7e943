import { metaOf, type RecordClass } from '../declare/meta.js';
import { allowOnly, platformToken, userToken } from '../declare/policy-error.js';
import { optionsOf } from '../declare/record.js';
import { worded } from '../declare/words.js';
import { allConditions, collect, queryBuilder, statementOf, textPlaceholder } from '../statement.js';
import { type Join, joinName } from './join.js';
import type { ListArgs } from './list.js';
import type { Loaders } from './loaders.js';
import { holderOf, ownRows } from './visible.js';

type Filter = Readonly<Record<string, unknown>>;

/** Conditions of a filter on one field, with `not` resolved. */
interface Asked {
  readonly field: string;
  /** Values that rows must have. */
  readonly wanted: readonly unknown[];
  /** Values that rows must not have. */
  readonly unwanted: readonly unknown[];
  /** Rows must have no value. */
  readonly isUnset: boolean;
}

const isFilter = (value: unknown): value is Filter => typeof value === 'object' && value !== null;

/** Converts a condition on the ID of a related record to one on the foreign key: `user: { id: … }` is `userId: …`. */
function keyAsked(cls: RecordClass, name: string, given: Filter): readonly [field: string, given: Filter] {
  const key = isFilter(given.id) ? [...metaOf(cls).fields.values()].find(({ ref }) => ref?.one === name) : undefined;
  return key && isFilter(given.id) ? [key.name, given.id] : [name, given];
}

function* askedOf(cls: RecordClass, filter: Filter, holds = true): Iterable<Asked> {
  for (const [name, condition] of Object.entries(filter)) {
    if (!isFilter(condition)) continue;
    if (name === 'not') yield* askedOf(cls, condition, !holds);
    else if (Array.isArray(condition)) for (const part of condition) yield* askedOf(cls, part, holds);
    else {
      const [field, { eq, in: any, ne, isNull }] = keyAsked(cls, name, condition);
      const equal = [eq, any].flat().filter((id) => id !== undefined);
      const other = ne === undefined ? [] : [ne];
      yield { field, wanted: holds ? equal : other, unwanted: holds ? other : equal, isUnset: isNull === holds };
    }
  }
}

/** Field that identifies the owner of a row. Undefined if the rows of the record have no owner. */
function ownerOf(cls: RecordClass | undefined): string | undefined {
  const { seenBy, write } = cls ? optionsOf(cls) : {};
  // Users own themselves, and filters by a user are allowed for all callers that may read the list.
  return seenBy ?? (write?.owner === 'id' ? undefined : write?.owner);
}

/**
 * Whether one of these rows belongs to another user. Rows without an owner do not count. If users see only their own rows, all IDs except those of
 * the caller's rows count, so that callers cannot find out which IDs exist.
 */
async function areOfOthers(loaders: Loaders, cls: RecordClass, ids: readonly unknown[]): Promise<boolean> {
  const by = ownerOf(cls) ?? '';
  const { seenBy, table } = optionsOf(cls);
  const isOfOther = loaders.batch(`${cls.name} of others`, async (keys) => {
    const values: unknown[] = [keys];
    const param = collect(values);
    const own = ownRows(cls, by, param(loaders.sql.caller.user?.id ?? ''), param);
    const statement = statementOf(
      `of others ${cls.name}`,
      () =>
        queryBuilder
          .selectFrom(`${table} as r`)
          .select('r.id as id')
          .where(allConditions([`r.id = any(${textPlaceholder(1)})`, seenBy ? own : `not (${own})`])),
      param,
    );
    const found = new Set((await loaders.sql.statement(statement, values)).map(({ id }) => id));
    return keys.map((key) => found.has(key) !== Boolean(seenBy));
  });
  return (await Promise.all(ids.map((id) => isOfOther(String(id))))).some(Boolean);
}

/** Whether a condition selects rows of other users, in a list of rows that users see only if they own them. */
async function isOfOthers(loaders: Loaders, cls: RecordClass, seenBy: string, asked: Asked): Promise<boolean> {
  const { field, wanted, unwanted, isUnset } = asked;
  const holder = holderOf(cls);
  if (field === seenBy) {
    if (isUnset) return true;
    if (holder) return areOfOthers(loaders, holder, wanted);
    const me = loaders.sql.caller.user?.id;
    return wanted.some((id) => id !== me) || unwanted.includes(me);
  }
  const target = metaOf(cls).fields.get(field)?.ref?.target();
  return target !== undefined && ownerOf(target) !== undefined && areOfOthers(loaders, target, wanted);
}

function refuse(cls: RecordClass): never {
  const many = worded(optionsOf(cls).many);
  allowOnly(platformToken, userToken(`of the owner of the ${many}`));
}

/**
 * Rejects a list of rows that users see only if they own them, if it is filtered by the IDs of other users: FORBIDDEN, because an empty list would
 * be misleading. A row that refers to a row of another user can still be the caller's. For example, an item of the caller's invoice can be for the
 * entry of a partner. Such a list is rejected only if it is empty for the caller.
 */
export async function checkOwnList(loaders: Loaders, cls: RecordClass, { filter }: ListArgs): Promise<void> {
  const { seenBy } = optionsOf(cls);
  if (!seenBy || !filter || loaders.sql.caller.platform) return;
  for (const asked of askedOf(cls, filter)) {
    if (!(await isOfOthers(loaders, cls, seenBy, asked))) continue;
    if (asked.field === seenBy || (await loaders.count(cls, filter)) === 0) refuse(cls);
  }
}

/** Like `checkOwnList`, for the list of a parent row of the record `on`. */
export async function checkOwnListOf(
  loaders: Loaders,
  cls: RecordClass,
  on: RecordClass,
  by: Join,
  parent: string,
): Promise<void> {
  const { seenBy } = optionsOf(cls);
  if (!seenBy || loaders.sql.caller.platform) return;
  if (joinName(by) === seenBy && !holderOf(cls)) {
    if (parent !== loaders.sql.caller.user?.id) refuse(cls);
  } else if (ownerOf(on) && (await areOfOthers(loaders, on, [parent]))) {
    if (joinName(by) === seenBy || (await loaders.count(cls, null, by, parent)) === 0) refuse(cls);
  }
}
