import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, anyone, platform, publishable } from '../../kernel/declare/policy.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { selected } from '../../kernel/read/select.js';
import { checkUsable } from './check-open.js';
import { MailReceipt } from './mail-receipt.js';
import { RegisterInput } from './register-input.js';
import { signUp } from './sign-up.js';
import { User } from './user.js';
import { resendVerification, verifyEmail } from './verify-email.js';

const customUrlText = "Page to which the link leads, of an origin on the platform's list; without one, the service's own.";

@Resolver()
export class RegistrationResolver {
  @Mutation(() => MailReceipt, {
    description:
      'Registers a person and mails a link that confirms the address within 48 hours. An address that is known gets a mail that says so; the answer is the same.',
  })
  @allow(platform, publishable)
  async register(
    @Arg('input', () => RegisterInput, { description: 'Who registers.' }) input: RegisterInput,
    @Ctx() context: Context,
  ): Promise<MailReceipt> {
    await signUp(context, input);
    return { isMailSent: true };
  }

  @Mutation(() => User, {
    description:
      'Opens the link of a registration, and gives the user whose address it confirms. BAD_INPUT: wrong or used; GONE: expired.',
  })
  @allow(anyone)
  async verifyEmail(
    @Arg('value', () => String, { description: 'The random value at the end of the link.' }) value: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    return context.loaders.one(User, selected(User, info), await verifyEmail(context, value));
  }

  @Mutation(() => MailReceipt, {
    description: 'Mails the link of a registration again; the answer is the same whether or not the address is known.',
  })
  @allow(platform, publishable)
  async resendVerification(
    @Arg('email', () => String, { description: 'The address that was registered.' }) email: string,
    @Arg('customUrl', () => String, { nullable: true, description: customUrlText }) customUrl: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<MailReceipt> {
    await resendVerification(context, email, customUrl);
    return { isMailSent: true };
  }

  @Query(() => Boolean, {
    description:
      'True when a link or code can be used still. BAD_INPUT: wrong or used; GONE: expired. A code is void after five wrong ones; the right one may be asked after at will.',
  })
  @allow(anyone)
  async isLinkOpen(
    @Arg('value', () => String, { description: 'The random value of the link, or the code.' }) value: string,
    @Arg('email', () => String, { nullable: true, description: 'The address that a code was asked for.' }) email:
      | string
      | null
      | undefined,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await checkUsable(context, value, email);
    return true;
  }
}
