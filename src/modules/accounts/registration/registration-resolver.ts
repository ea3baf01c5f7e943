import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { reject } from '../../../kernel/declare/errors.js';
import { allow, anyone, platform, publishableKeyHolder } from '../../../kernel/declare/policy/policy.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { querySelection } from '../../../kernel/read/select.js';
import { MailReceipt } from '../contact/contact-resolver.js';
import { customUrlDescription } from '../links.js';
import { isResetCode } from '../passwords/change-password.js';
import { checkCodeUncounted } from '../tokens/one-time-code.js';
import { checkValue } from '../tokens/one-time-values.js';
import { User } from '../users/user.js';
import { RegisterInput } from './register-input.js';
import { signUp } from './sign-up.js';
import { resendVerification, verifyEmail } from './verify-email.js';

/**
 * Checks a verification link, reset link or reset code without using it up. Throws BAD_INPUT if the link or code is wrong or has been used,
 * and GONE if it has expired.
 */
async function checkLinkOrCode(context: Context, value: string, email: string | null | undefined): Promise<void> {
  const { sql } = context;
  sql.usePrimary();
  if (isResetCode(value))
    await checkCodeUncounted(
      context,
      email ? normalizeEmail(email) : reject('email', 'the address that the code was asked for'),
      value,
    );
  else await checkValue(sql, ['verifyEmail', 'resetPassword'], value);
}

@Resolver()
export class RegistrationResolver {
  @Mutation(() => MailReceipt, {
    description:
      'Registers a user and emails a verification link that is valid for 48 hours. If the address already has an account, the email says so. The response is the same in both cases.',
  })
  @allow(platform, publishableKeyHolder)
  async register(
    @Arg('input', () => RegisterInput, { description: 'Data of the user.' }) input: RegisterInput,
    @Ctx() context: Context,
  ): Promise<MailReceipt> {
    await signUp(context, input);
    return { isMailSent: true };
  }

  @Mutation(() => User, {
    description:
      'Verifies an email address with the value from a verification link. Returns the user. BAD_INPUT if the value is wrong or has been used. GONE if it has expired.',
  })
  @allow(anyone)
  async verifyEmail(
    @Arg('value', () => String, { description: 'Random value at the end of the link.' }) value: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    return context.loaders.loadRow(User, querySelection(User, info), await verifyEmail(context, value));
  }

  @Mutation(() => MailReceipt, {
    description:
      'Emails the verification link of a registration again. The response is the same whether or not the account exists.',
  })
  @allow(platform, publishableKeyHolder)
  async resendVerification(
    @Arg('email', () => String, { description: 'Registered email address.' }) email: string,
    @Arg('customUrl', () => String, { nullable: true, description: customUrlDescription }) customUrl: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<MailReceipt> {
    await resendVerification(context, email, customUrl);
    return { isMailSent: true };
  }

  @Query(() => Boolean, {
    description:
      'Checks a link or code without using it up. Returns true if the link or code is valid. BAD_INPUT if it is wrong or has been used. GONE if it has expired. A code becomes invalid after five wrong attempts. Checking the correct code does not count as an attempt.',
  })
  @allow(anyone)
  async isLinkOpen(
    @Arg('value', () => String, { description: 'Random value at the end of the link, or the code.' }) value: string,
    @Arg('email', () => String, {
      nullable: true,
      description: 'Email address for which the code was requested. Required with a code, ignored with a link.',
    })
    email: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await checkLinkOrCode(context, value, email);
    return true;
  }
}
