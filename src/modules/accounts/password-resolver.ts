import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, Info, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { allow, anyone, platform, publishable, user } from '../../kernel/declare/policy.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { selected } from '../../kernel/read/select.js';
import { changePassword, resetPassword } from './change-password.js';
import { ResetChannel, requestReset } from './request-reset.js';
import { SignOn } from './sign-on-values.js';
import type { GivenToken } from './tokens.js';
import { User } from './user.js';

@ObjectType({ description: 'What became of the wish for a new password.' })
class ResetReceipt {
  @Field(() => ResetChannel, { description: 'How the way to it is sent, if the account exists and can be reached so.' })
  channel!: ResetChannel;
}

@Resolver()
export class PasswordResolver {
  @Mutation(() => ResetReceipt, {
    description: 'Sends the way to a new password; the answer is the same whether or not the account exists.',
  })
  @allow(platform, publishable)
  async requestPasswordReset(
    @Arg('email', () => String, { description: 'Address of the account.' }) email: string,
    @Arg('channel', () => ResetChannel, { defaultValue: 'EMAIL', description: 'How it is sent.' }) channel: ResetChannel,
    @Arg('customUrl', () => String, {
      nullable: true,
      description: "Page to which the link leads, of an origin on the platform's list; without one, the service's own.",
    })
    customUrl: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<ResetReceipt> {
    await requestReset(context, { email, channel, customUrl });
    return { channel };
  }

  @Mutation(() => User, {
    description:
      'Chooses a new password with a link or a code, and gives the user whose it is; every token of the user dies. BAD_INPUT: wrong or used; GONE: expired.',
  })
  @allow(anyone)
  async resetPassword(
    @Arg('value', () => String, { description: 'The random value of the link, or the code.' }) value: string,
    @Arg('password', () => String, { description: 'The new password, 8 to 200 characters.' }) password: string,
    @Arg('email', () => String, {
      nullable: true,
      description: 'The address that a code was asked for; not looked at with a link.',
    })
    email: string | null | undefined,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    return context.loaders.one(User, selected(User, info), await resetPassword(context, { value, password, email }));
  }

  @Mutation(() => SignOn, {
    description:
      'Changes the password of the signed-in user. Every token of the user dies; the answer has a new one. INVALID_CREDENTIALS: the old password is wrong.',
  })
  @allow(user)
  changePassword(
    @Arg('oldPassword', () => String, { description: 'The password so far.' }) oldPassword: string,
    @Arg('newPassword', () => String, { description: 'The new one, 8 to 200 characters.' }) newPassword: string,
    @Ctx() context: Context,
  ): Promise<GivenToken> {
    const { user } = context.caller;
    return changePassword(context, user?.id ?? fail('UNAUTHENTICATED', 'a user token is needed'), oldPassword, newPassword);
  }
}
