import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { platformIdOf } from '../../../kernel/declare/policy/caller.js';
import { allow, platform, publishableKeyHolder } from '../../../kernel/declare/policy/policy.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { templates } from '../../../messaging/ports.js';
import { clientKey, limitsOf } from '../limits/limits.js';
import { ContactInput, checkContact } from './contact-input.js';

@ObjectType({ description: 'Result of a request that sends an email.' })
export class MailReceipt {
  @Field(() => Boolean, {
    description: 'Always true. The response does not reveal whether an account with the email address exists.',
  })
  isMailSent!: boolean;
}

/** Emails a contact message to the operators. The email contains the titles of the records whose IDs are in the input. */
async function sendContact(context: Context, input: ContactInput): Promise<void> {
  const { caller, sql, services } = context;
  checkContact(input, 'input.');
  const limits = limitsOf(context);
  await (caller.platform
    ? limits.consume('platform.contact', caller.platform.id)
    : limits.consume('address.contact', clientKey(context)));
  if (caller.key) await limits.consume('key.attempts', caller.key.id);
  const titles = await sql.first(
    sql.db.selectNoFrom(({ selectFrom }) => [
      selectFrom('contact_reason')
        .select('title')
        .where('id', '=', input.reasonId || '')
        .as('reason'),
      selectFrom('platform')
        .select('title')
        .where('id', '=', input.platformId || platformIdOf(caller) || '')
        .as('platform'),
      selectFrom('tournament')
        .select('title')
        .where('id', '=', input.tournamentId || '')
        .as('tournament'),
    ]),
  );
  const mail = templates.contactMail({
    to: services.settings.contactEmail,
    reason: titles?.reason ?? 'a message',
    details: input.details,
    name: input.fullName ?? undefined,
    phone: input.phone ?? undefined,
    email: input.email ? normalizeEmail(input.email) : undefined,
    platform: titles?.platform ?? input.platformId ?? undefined,
    tournament: titles?.tournament ?? input.tournamentId ?? undefined,
  });
  await sql.transaction(() => services.outbox.enqueue(mail, sql, 'counted'));
}

@Resolver()
export class ContactResolver {
  @Mutation(() => MailReceipt, { description: 'Sends a message to the operators by email.' })
  @allow(platform, publishableKeyHolder)
  async contact(
    @Arg('input', () => ContactInput, { description: 'Message.' }) input: ContactInput,
    @Ctx() context: Context,
  ): Promise<MailReceipt> {
    await sendContact(context, input);
    return { isMailSent: true };
  }
}
