import { Args, ArgsType, Field, Int } from 'type-graphql';
import { meaning } from '../declare/meaning.js';
import type { RecordClass } from '../declare/meta.js';
import { filterOf } from '../read/filter.js';
import type { ListArgs } from '../read/list.js';
import { orderOf } from '../read/order.js';
import { defaultFirst, maxFirst, type PartArgs } from '../read/part.js';

/** The arguments that select a part of a list, the same for all lists. The schema describes them once, at `PageInfo`. */
@ArgsType()
export class PartArguments implements PartArgs {
  @meaning(`Number of items from the start, 0 to ${maxFirst}. Default: ${defaultFirst}, unless \`last\` is given.`)
  @Field(() => Int, { nullable: true })
  first?: number | null;

  @meaning('Cursor after which the page starts: `pageInfo.endCursor` of the previous page of the same list in the same order.')
  @Field(() => String, { nullable: true })
  after?: string | null;

  @meaning(`Number of items from the end, 0 to ${maxFirst}, in the order of the list. Excludes \`first\`.`)
  @Field(() => Int, { nullable: true })
  last?: number | null;

  @meaning('Cursor before which the page ends: `pageInfo.startCursor` of the next page of the same list in the same order.')
  @Field(() => String, { nullable: true })
  before?: string | null;

  @meaning('Number of items to skip from the start, 0 or more. Excludes `last` and `before`.')
  @Field(() => Int, { nullable: true })
  offset?: number | null;
}

const known = new Map<RecordClass, new () => ListArgs>();

/** The arguments that every list of a record takes. */
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

/** Declares them on a method. */
export function listArguments(cls: RecordClass, target: object, method: string): void {
  // type-graphql collects types before it asks for them.
  const type = listArgumentsOf(cls);
  Args(() => type)(target, method, 0);
}
