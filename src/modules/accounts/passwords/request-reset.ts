import type { Context } from '../../../kernel/declare/context.js';
import { enumeration } from '../../../kernel/declare/enumeration.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { templates } from '../../../messaging/ports.js';
import { countMessage } from '../limits/limits.js';
import { type BuildLink, createLinkBuilder } from '../links.js';
import { isElevated } from '../sign-in/elevated.js';
import { withMinimumDuration } from '../sign-in/minimum-duration.js';
import { newOneTimeCode } from '../tokens/one-time-code.js';
import { issueValue } from '../tokens/one-time-values.js';
import { internationalPhone } from '../users/phone.js';

export const ResetChannel = enumeration('ResetChannel', 'Channel for a password reset message.', {
  EMAIL: 'Link by email, valid for one hour.',
  SMS: 'Six-digit code, sent by text message to the phone of the user. Valid for ten minutes. Not available to users with a role other than USER.',
});
export type ResetChannel = keyof typeof ResetChannel;
interface ResetRequest {
  email: string;
  channel: ResetChannel;
  customUrl?: string | null;
}

/** Sends a link or code for setting a new password. Does nothing if the account does not exist or has no address for the channel. */
export async function requestReset(context: Context, { email, channel, customUrl }: ResetRequest): Promise<void> {
  const link = await createLinkBuilder(context, 'resetPassword', customUrl);
  const address = normalizeEmail(email);
  await countMessage(context, address);
  await withMinimumDuration(context, () => (channel === 'SMS' ? sendCode(context, address) : sendLink(context, address, link)));
}

async function sendLink({ sql, services }: Context, address: string, link: BuildLink): Promise<void> {
  const user = await sql.first(sql.db.selectFrom('app_user').select('id').where('email', '=', address));
  if (!user) return;
  await sql.transaction(async () => {
    const { value } = await issueValue(sql, 'resetPassword', user.id, { email: address });
    await services.outbox.enqueue(templates.passwordResetMail({ to: address, link: link(value) }), sql, 'counted');
  });
}

async function sendCode(context: Context, address: string): Promise<void> {
  const { sql, services } = context;
  const { code, saveFor } = await newOneTimeCode(context);
  const user = await sql.first(
    sql.db
      .selectFrom('app_user')
      .select(['id', 'phone', 'phone_country_id as phoneCountryId', 'country_id as countryId', isElevated.as('isElevated')])
      .where('email', '=', address),
  );
  // Users with a role other than USER get no code. A platform could have set their phone number before they got the role.
  const recipient =
    user?.phone && !user.isElevated ? await internationalPhone(sql, user.phone, user.phoneCountryId ?? user.countryId) : null;
  if (!user || !recipient) return;
  await sql.transaction(async () => {
    await saveFor(sql, user.id);
    // The message also counts against the limit of the phone number, which several accounts can share. Throwing an error for an exceeded
    // limit would reveal that the account exists.
    await services.outbox.enqueueAll([templates.passwordResetText({ to: recipient, code })], sql, 'service');
  });
}
