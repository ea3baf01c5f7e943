import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/fields/options.js';
import { allowWriters } from '../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { inputOf } from '../../kernel/write/input.js';
import { deprecateRoute, undoDeprecation } from './deprecate-route.js';
import { Deprecation } from './deprecation.js';

@Resolver()
export class DeprecationResolver {
  @Mutation(() => Deprecation, {
    description:
      'Deprecates a route of `/v1` for one platform or for all, or updates an existing deprecation. Absent fields stay unchanged. A new deprecation requires `deprecatedAt` and `text`. The change takes effect within a second. `id` in the input is ignored.',
  })
  @allowWriters(Deprecation)
  deprecateRoute(
    @Arg('keepsExisting', () => Boolean, {
      defaultValue: false,
      description: 'Whether to reject the input with CONFLICT if the deprecation already exists.',
    })
    keepsExisting: boolean,
    @Arg('input', () => inputOf(Deprecation), { description: 'Fields to set on the deprecation. `route` is required.' })
    input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Deprecation>> {
    return deprecateRoute(context, input, keepsExisting, selectedColumns(Deprecation, info));
  }

  @Mutation(() => Deprecation, {
    description:
      'Deletes a deprecation. Also ends a rehearsal in progress (see `rehearsalBeginsAt`). Returns the deleted deprecation.',
  })
  @allowWriters(Deprecation)
  undoDeprecation(
    @Arg('id', () => ID, { description: 'ID of the deprecation.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Deprecation>> {
    return undoDeprecation(context, id, selectedColumns(Deprecation, info));
  }
}
