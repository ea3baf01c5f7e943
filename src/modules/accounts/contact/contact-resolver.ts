import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, platform, publishable } from '../../../kernel/declare/policy/policy.js';
import { ContactInput } from './contact-input.js';
import { MailReceipt } from './mail-receipt.js';
import { sendContact } from './send-contact.js';

@Resolver()
export class ContactResolver {
  @Mutation(() => MailReceipt, { description: 'Sends a message to the operators by e-mail.' })
  @allow(platform, publishable)
  async contact(
    @Arg('input', () => ContactInput, { description: 'Message.' }) input: ContactInput,
    @Ctx() context: Context,
  ): Promise<MailReceipt> {
    await sendContact(context, input);
    return { isMailSent: true };
  }
}
