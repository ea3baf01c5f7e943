import { platformIdOf } from '../../kernel/caller.js';
import type { Context } from '../../kernel/context.js';
import { reject } from '../../kernel/errors.js';
import { allOf } from '../../kernel/problems.js';
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
  const names = await sql.row<{ reason: string | null; platform: string | null; tournament: string | null }>(
    `select (select name from contact_reason where id = $1) as reason, (select name from platform where id = coalesce($2, $3)) as platform,
       (select title from tournament where id = $4) as tournament`,
    [input.reasonId || null, input.platformId || null, platformIdOf(caller), input.tournamentId || null],
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
