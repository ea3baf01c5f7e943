import { metaOf, type RecordClass } from '../declare/meta.js';
import { allowOnly, platformToken, userToken } from '../declare/policy-error.js';
import { optionsOf } from '../declare/record.js';
import { worded } from '../declare/words.js';
import { building, collect, every, place, statementOf } from '../statement.js';
import { type Join, joinName } from './join.js';
import type { ListArgs } from './list.js';
import type { Loaders } from './loaders.js';
import { holderOf, ownRows } from './visible.js';

type Filter = Readonly<Record<string, unknown>>;

/** What a filter says of one field, `not` resolved. */
interface Asked {
  readonly field: string;
  /** Rows with one of these are asked for. */
  readonly wanted: readonly unknown[];
  /** Rows with one of these are left out. */
  readonly unwanted: readonly unknown[];
  /** Rows without any are asked for. */
  readonly isUnset: boolean;
}

const isFilter = (value: unknown): value is Filter => typeof value === 'object' && value !== null;

/** What is asked of a foreign key, by itself or by the id of the record that it names: `user: { id: … }` is `userId: …`. */
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

/** The field that says whose a record's rows are, where they are somebody's. */
function ownerOf(cls: RecordClass | undefined): string | undefined {
  const { seenBy, write } = cls ? optionsOf(cls) : {};
  // Users are their own: whoever may read a list may say from whom or about whom.
  return seenBy ?? (write?.owner === 'id' ? undefined : write?.owner);
}

/**
 * Whether one of these rows is not the caller's. A row of nobody is; but where users see no rows but their own, every row is another's of
 * which they know nothing, so that nothing tells which there are.
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
        building
          .selectFrom(`${table} as r`)
          .select('r.id as id')
          .where(every([`r.id = any(${place(1)})`, seenBy ? own : `not (${own})`])),
      param,
    );
    const found = new Set((await loaders.sql.statement(statement, values)).map(({ id }) => id));
    return keys.map((key) => found.has(key) !== Boolean(seenBy));
  });
  return (await Promise.all(ids.map((id) => isOfOther(String(id))))).some(Boolean);
}

/** Whether a list of rows that users see only as far as they are theirs is asked for with those of others, or for nothing but them. */
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
 * Refuses a list of what users see of their own only, where it is asked for with the ids of others: FORBIDDEN, because an empty list would
 * look like an answer. What belongs to a row of somebody else may be the caller's all the same: an item of their invoice is for the entry
 * of their partner. Such a list is refused when there is nothing in it for them.
 */
export async function checkOwnList(loaders: Loaders, cls: RecordClass, { filter }: ListArgs): Promise<void> {
  const { seenBy } = optionsOf(cls);
  if (!seenBy || !filter || loaders.sql.caller.platform) return;
  for (const asked of askedOf(cls, filter)) {
    if (!(await isOfOthers(loaders, cls, seenBy, asked))) continue;
    if (asked.field === seenBy || (await loaders.count(cls, filter)) === 0) refuse(cls);
  }
}

/** The same for the list of a record `on` which the rows belong. */
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
