import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/options.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { inputOf } from '../../kernel/write/input.js';
import { deprecateRoute, undoDeprecation } from './deprecate-route.js';
import { Deprecation } from './deprecation.js';

@Resolver()
export class DeprecationResolver {
  @Mutation(() => Deprecation, {
    description:
      'Announces that a route of `/v1` is to go, to one platform or to all, or changes what is announced of it: fields that are absent keep their values. Every process answers accordingly within a second. The first time, `deprecatedAt` and `text` are needed; an id is not taken.',
  })
  @writes(Deprecation)
  deprecateRoute(
    @Arg('input', () => inputOf(Deprecation), { description: 'What is announced; the `route` is needed.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Deprecation>> {
    return deprecateRoute(context, input, columnsWanted(Deprecation, info));
  }

  @Mutation(() => Deprecation, {
    description: 'Takes an announcement back: the route is answered as if there had been none, also during a rehearsal.',
  })
  @writes(Deprecation)
  undoDeprecation(
    @Arg('id', () => ID, { description: 'Id of the announcement.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Deprecation>> {
    return undoDeprecation(context, id, columnsWanted(Deprecation, info));
  }
}
