import { platformIdOf } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import { allOf } from '../../kernel/declare/problems.js';
import { templates } from '../../messaging/ports.js';
import type { ContactInput } from './contact-input.js';
import { checkEmail } from './email.js';
import { limitsOf, senderOf } from './limits.js';

/** Most characters of each text. */
const longest: [field: 'details' | 'name' | 'phone', most: number][] = [
  ['details', 10_000],
  ['name', 200],
  ['phone', 50],
];

/** Puts a visitor's message into the operators' mailbox; ids are turned into names, because people read it. */
export async function sendContact(context: Context, input: ContactInput): Promise<void> {
  const { caller, sql, services } = context;
  const [email] = allOf(
    () => (input.email ? checkEmail(input.email) : undefined),
    () => input.details.trim() || reject('input.details', 'a message'),
    ...longest.map(
      ([field, most]) =>
        () =>
          (input[field] ?? '').length <= most || reject(`input.${field}`, `at most ${most} characters`),
    ),
  );
  await limitsOf(context).take('contact', senderOf(context));
  const names = await sql.first(
    sql.db.selectNoFrom(({ selectFrom }) => [
      selectFrom('contact_reason')
        .select('name')
        .where('id', '=', input.reasonId || '')
        .as('reason'),
      selectFrom('platform')
        .select('name')
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
    name: input.name ?? undefined,
    phone: input.phone ?? undefined,
    email,
    platform: names?.platform ?? input.platformId ?? undefined,
    tournament: names?.tournament ?? input.tournamentId ?? undefined,
  });
  await sql.transaction(() => services.outbox.enqueue(mail, sql));
}
