import { Args, ArgsType, Field, Int } from 'type-graphql';
import { meaning } from '../declare/meaning.js';
import type { RecordClass } from '../declare/meta.js';
import { filterOf } from '../read/filter.js';
import type { ListArgs } from '../read/list.js';
import { orderOf } from '../read/order.js';
import { defaultFirst, maxFirst, type PartArgs } from '../read/part.js';

/** Pagination arguments of all lists. The schema describes them once, on `PageInfo`. */
@ArgsType()
export class PartArguments implements PartArgs {
  @meaning(`Number of items from the start, 0 to ${maxFirst}. Default: ${defaultFirst}, unless \`last\` is given.`)
  @Field(() => Int, { nullable: true })
  first?: number | null;

  @meaning('Cursor after which the page starts: `pageInfo.endCursor` of the previous page of the same list in the same order.')
  @Field(() => String, { nullable: true })
  after?: string | null;

  @meaning(`Number of items from the end, 0 to ${maxFirst}, in the order of the list. Cannot be combined with \`first\`.`)
  @Field(() => Int, { nullable: true })
  last?: number | null;

  @meaning('Cursor before which the page ends: `pageInfo.startCursor` of the next page of the same list in the same order.')
  @Field(() => String, { nullable: true })
  before?: string | null;

  @meaning('Number of items to skip from the start, 0 or more. Cannot be combined with `last` and `before`.')
  @Field(() => Int, { nullable: true })
  offset?: number | null;
}

const known = new Map<RecordClass, new () => ListArgs>();

/** Arguments of the lists of a record. */
export function listArgumentsOf(cls: RecordClass): new () => ListArgs {
  const made = known.get(cls);
  if (made) return made;
  class ListArguments extends PartArguments {
    filter?: ListArgs['filter'];
    orderBy?: ListArgs['orderBy'];
  }
  const target = ListArguments.prototype;
  Field(() => filterOf(cls), { nullable: true })(target, 'filter');
  meaning('Only items that meet these conditions.')(target, 'filter');
  Field(() => [orderOf(cls)], { nullable: true })(target, 'orderBy');
  meaning('Order of the items, the most important field first. Equal items are ordered by ID.')(target, 'orderBy');
  ArgsType()(ListArguments);
  known.set(cls, ListArguments);
  return ListArguments;
}

/** Declares the arguments of a list on a method. */
export function listArguments(cls: RecordClass, target: object, method: string): void {
  // Created now, because type-graphql collects all types before it calls this function.
  const type = listArgumentsOf(cls);
  Args(() => type)(target, method, 0);
}
