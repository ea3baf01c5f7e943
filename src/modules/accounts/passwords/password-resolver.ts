import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, Info, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, anyone, platform, publishableKeyHolder, user } from '../../../kernel/declare/policy/policy.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { querySelection } from '../../../kernel/read/select.js';
import { customUrlDescription } from '../links.js';
import { signedInUserId } from '../sign-in/credentials.js';
import { SignOn } from '../sign-in/sign-on-values.js';
import type { IssuedToken } from '../tokens/tokens.js';
import { User } from '../users/user.js';
import { changePassword, resetPassword } from './change-password.js';
import { ResetChannel, requestReset } from './request-reset.js';

@ObjectType({ description: 'Result of a password reset request.' })
class ResetReceipt {
  @Field(() => ResetChannel, {
    description:
      'Channel through which the message is sent. A message is sent only if the account exists and has an address for the channel.',
  })
  channel!: ResetChannel;
}

@Resolver()
export class PasswordResolver {
  @Mutation(() => ResetReceipt, {
    description: 'Sends a link or code for setting a new password. The response is the same whether or not the account exists.',
  })
  @allow(platform, publishableKeyHolder)
  async requestPasswordReset(
    @Arg('email', () => String, { description: 'Email address of the account.' }) email: string,
    @Arg('channel', () => ResetChannel, { defaultValue: 'EMAIL', description: 'Channel of the message.' }) channel: ResetChannel,
    @Arg('customUrl', () => String, { nullable: true, description: customUrlDescription }) customUrl: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<ResetReceipt> {
    await requestReset(context, { email, channel, customUrl });
    return { channel };
  }

  @Mutation(() => User, {
    description:
      'Resets a password, using the value from a link or a code, and revokes all tokens of the user. Returns the user. BAD_INPUT if the value is wrong or has been used. GONE if it has expired. FORBIDDEN if the account is locked.',
  })
  @allow(anyone)
  async resetPassword(
    @Arg('value', () => String, { description: 'Random value at the end of the link, or the code.' }) value: string,
    @Arg('password', () => String, {
      description: 'New password, 8 to 200 characters. Passwords that are easy to guess are rejected.',
    })
    password: string,
    @Arg('email', () => String, {
      nullable: true,
      description: 'Email address for which the code was requested. Required with a code, ignored with a link.',
    })
    email: string | null | undefined,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    return context.loaders.loadRow(User, querySelection(User, info), await resetPassword(context, { value, password, email }));
  }

  @Mutation(() => SignOn, {
    description:
      'Changes the password of the signed-in user, revokes all tokens of the user, and returns a new token. INVALID_CREDENTIALS: the old password is wrong.',
  })
  @allow(user)
  changePassword(
    @Arg('oldPassword', () => String, { description: 'Current password.' }) oldPassword: string,
    @Arg('newPassword', () => String, {
      description: 'New password, 8 to 200 characters. Passwords that are easy to guess are rejected.',
    })
    newPassword: string,
    @Ctx() context: Context,
  ): Promise<IssuedToken> {
    return changePassword(context, signedInUserId(context), oldPassword, newPassword);
  }
}
