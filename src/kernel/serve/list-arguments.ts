import { Args, ArgsType, Field, Int } from 'type-graphql';
import type { RecordClass } from '../declare/meta.js';
import { filterOf } from '../read/filter.js';
import type { ListArgs } from '../read/list.js';
import { orderOf } from '../read/order.js';
import { defaultFirst, maxFirst, type PartArgs } from '../read/part.js';

/** The arguments that say which part of a list is meant, the same for all lists. */
@ArgsType()
export class PartArguments implements PartArgs {
  @Field(() => Int, {
    nullable: true,
    description: `How many items from the front, 0 to ${maxFirst}; ${defaultFirst} where neither \`first\` nor \`last\` is given.`,
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Begins behind this cursor: `pageInfo.endCursor` of the page before, of the same list and order.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `How many items from the end, 0 to ${maxFirst}, in the order of the list; not together with \`first\`.`,
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Ends in front of this cursor: `pageInfo.startCursor` of the page behind, of the same list and order. Without `first` the items are those right before it.',
  })
  before?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many items to skip, 0 or more; only where items are counted from the front.',
  })
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
  Field(() => filterOf(cls), { nullable: true, description: 'Only items that meet these conditions.' })(target, 'filter');
  Field(() => [orderOf(cls)], {
    nullable: true,
    description: 'By what the items are ordered, the most important first; ties are settled by the id.',
  })(target, 'orderBy');
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
