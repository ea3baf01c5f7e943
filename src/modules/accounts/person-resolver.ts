import type { GraphQLResolveInfo } from 'graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { allow, permission, self } from '../../kernel/declare/policy.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { selected } from '../../kernel/read/select.js';
import { note } from './audit-sql.js';
import { eraseUser } from './erase-user.js';
import { exportPerson } from './personal-data/export-person-sql.js';
import { User } from './user.js';

@Resolver()
export class PersonResolver {
  @Query(() => GraphQLJSON, {
    nullable: true,
    description:
      'All that is kept about a user, as a JSON object: under the name of each record a list of what names the user or is theirs, and under `changed` the ids of what they made or changed beside. Nothing stands in it that the user may not see. The audit notes who asked.',
  })
  @allow(permission('ADMIN'), self('id'))
  async exportUser(
    @Arg('id', () => ID, { description: 'Id of the user.' }) id: string,
    @Ctx() { sql, services }: Context,
  ): Promise<Record<string, unknown>> {
    const person = await services.identifier.person(sql, id);
    if (!person) return fail('NOT_FOUND', `no user with the id ${id}`);
    await note(sql, 'EXPORTED', 'User', id);
    return exportPerson(sql, id, { platform: null, key: null, user: person, rejected: false });
  }

  @Mutation(() => User, {
    description:
      'Takes the person from a user, for good, and gives what stays: the id, under which results, teams and invoices are kept, and the name "Deleted user". Tokens, notifications, favorites, reactions, images, biographies and comments go, names and addresses of the person elsewhere too. INVALID_CREDENTIALS: users who ask for themselves give their password. FORBIDDEN: only super admins erase a super admin.',
  })
  @allow(permission('ADMIN'), self('id'))
  async eraseUser(
    @Arg('id', () => ID, { description: 'Id of the user.' }) id: string,
    @Arg('password', () => String, { nullable: true, description: 'Password of the user, where it is the one who asks.' })
    password: string | null | undefined,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    return context.loaders.one(User, selected(User, info), await eraseUser(context, id, password ?? null));
  }
}
