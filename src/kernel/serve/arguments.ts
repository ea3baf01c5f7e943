import { GraphQLInt } from 'graphql';
import { Arg, ArgsType, createParameterDecorator, Extensions, Field, Int } from 'type-graphql';
import type { Context } from '../declare/context.js';
import { type InputValueSpec, type InputValues, meaning } from '../declare/fields/generated.js';
import type { RecordClass } from '../declare/meta.js';
import { filterInputOf } from '../read/conditions/filter.js';
import { orderInputOf } from '../read/paging/order.js';
import { defaultFirst, maxFirst, type PageArgs } from '../read/paging/page-args.js';

const meanings = {
  first: `Number of items from the start, 0 to ${maxFirst}. Default: ${defaultFirst}, unless \`last\` is set.`,
  after: 'Cursor of the item before the page: `pageInfo.endCursor` of the previous page of the same list in the same order.',
  last: `Number of items from the end, 0 to ${maxFirst}, in the order of the list. Cannot be combined with \`first\`.`,
  before: 'Cursor of the item after the page: `pageInfo.startCursor` of the next page of the same list in the same order.',
  offset: 'Number of items to skip from the start, 0 or more. Cannot be combined with `last` and `before`.',
} as const;

/** Pagination arguments of generated lists. */
const pageArguments: InputValues = {
  first: { type: () => Int, meaning: meanings.first },
  after: { type: () => String, meaning: meanings.after },
  last: { type: () => Int, meaning: meanings.last },
  before: { type: () => String, meaning: meanings.before },
  offset: { type: () => Int, meaning: meanings.offset },
};

/** Pagination arguments of handwritten lists. The schema describes them once, on `PageInfo`. */
@ArgsType()
export class PageArguments implements PageArgs {
  @meaning(meanings.first)
  @Field(() => Int, { nullable: true })
  first?: number | null;

  @meaning(meanings.after)
  @Field(() => String, { nullable: true })
  after?: string | null;

  @meaning(meanings.last)
  @Field(() => Int, { nullable: true })
  last?: number | null;

  @meaning(meanings.before)
  @Field(() => String, { nullable: true })
  before?: string | null;

  @meaning(meanings.offset)
  @Field(() => Int, { nullable: true })
  offset?: number | null;
}

/** Returns the arguments `filter` and `orderBy` of fields that list records of a type. */
const filterAndOrderOf = (cls: RecordClass): InputValues => ({
  filter: { type: () => filterInputOf(cls), meaning: 'Only items that meet these conditions.' },
  orderBy: {
    type: () => [orderInputOf(cls)],
    meaning: 'Sort order of the items, the most important field first. Equal items are sorted by ID.',
  },
});

/** Returns the arguments of fields that list records of a type. */
export const listArgumentsOf = (cls: RecordClass): InputValues => ({ ...pageArguments, ...filterAndOrderOf(cls) });

const argumentNames = ['first', 'after', 'last', 'before', 'offset', 'filter', 'orderBy'] as const;

/**
 * Parameter decorator for handwritten resolvers. Declares the arguments of a field that lists records of a type. Passes them as one object.
 */
export const ListArguments =
  (cls: RecordClass) =>
  (target: object, method: string, index: number): void => {
    createParameterDecorator<Context>(({ args }) =>
      Object.fromEntries(argumentNames.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]]]))),
    )(target, method, index);
    Extensions({ arguments: () => listArgumentsOf(cls) })(target, method);
  };

const description =
  'Expected `version` of the record. CONFLICT with `extensions.currentVersion` if the record has changed. NOT_FOUND if it does not exist.';

/** Argument `ifVersion` for generated mutations that change a versioned record. It enables optimistic locking. */
export const ifVersion: InputValueSpec = { type: () => GraphQLInt, description };

/** Parameter decorator: declares the argument `ifVersion` of a handwritten mutation. */
export const ifVersionArg = (): ((target: object, method: string, index: number) => void) =>
  Arg('ifVersion', () => Int, { nullable: true, description });
