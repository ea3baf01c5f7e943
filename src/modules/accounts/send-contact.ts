import { platformIdOf } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { templates } from '../../messaging/ports.js';
import { type ContactInput, checkContact } from './contact-input.js';
import { limitsOf, whoTries } from './limits.js';

/** Puts a visitor's message into the operators' mailbox; ids are turned into names, because people read it. */
export async function sendContact(context: Context, input: ContactInput): Promise<void> {
  const { caller, sql, services } = context;
  checkContact(input, 'input.');
  const limits = limitsOf(context);
  await (caller.platform
    ? limits.take('platform.contact', caller.platform.id)
    : limits.take('address.contact', whoTries(context)));
  if (caller.key) await limits.take('key.attempts', caller.key.id);
  const names = await sql.first(
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
    reason: names?.reason ?? 'a message',
    details: input.details,
    name: input.fullName ?? undefined,
    phone: input.phone ?? undefined,
    email: input.email ? folded(input.email) : undefined,
    platform: names?.platform ?? input.platformId ?? undefined,
    tournament: names?.tournament ?? input.tournamentId ?? undefined,
  });
  await sql.transaction(() => services.outbox.enqueue(mail, sql, 'counted'));
}
