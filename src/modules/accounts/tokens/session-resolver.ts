import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { administrators, allow, self, user } from '../../../kernel/declare/policy/policy.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { querySelection } from '../../../kernel/read/select.js';
import { User } from '../users/user.js';
import { endAllSessions, endSession } from './end-sessions.js';
import { UserToken } from './user-token.js';

const superAdmins = 'FORBIDDEN if the user is a super admin and the caller is not.';

@Resolver()
export class SessionResolver {
  @Mutation(() => UserToken, {
    description: `Ends a session of the signed-in user, or of any user for callers with the role ADMIN. Subscriptions that use its token end as well. Idempotent. ${superAdmins} NOT_FOUND: unknown ID, or a session that the caller cannot see.`,
  })
  @allow(user)
  async endSession(
    @Arg('id', () => ID, { description: 'ID of the session.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<UserToken> | null> {
    await endSession(context, id);
    return context.loaders.loadRow(UserToken, querySelection(UserToken, info), id);
  }

  @Mutation(() => User, {
    description: `Ends all sessions of a user, including the session that the request uses, and invalidates one-time tokens. Returns the user. ${superAdmins}`,
  })
  @allow(administrators, self('userId'))
  async endAllSessions(
    @Arg('userId', () => ID, { description: 'ID of the user.' }) userId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    await endAllSessions(context, userId);
    return context.loaders.loadRow(User, querySelection(User, info), userId);
  }
}
