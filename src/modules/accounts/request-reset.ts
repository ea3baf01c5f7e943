import { registerEnumType } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { templates } from '../../messaging/ports.js';
import { isElevated } from './elevated.js';
import { linkTo } from './links.js';
import { withMinimumDuration } from './minimum-duration.js';
import { issueValue } from './one-time.js';
import { newOneTimeCode } from './one-time-code.js';
import { callable } from './phone.js';
import { takeMessage } from './take-message.js';

export const ResetChannel = { EMAIL: 'EMAIL', SMS: 'SMS' } as const;
export type ResetChannel = keyof typeof ResetChannel;
registerEnumType(ResetChannel, {
  name: 'ResetChannel',
  description: 'How the way to a new password is sent.',
  valuesConfig: {
    EMAIL: { description: 'As a link, by mail; it works for an hour.' },
    SMS: {
      description:
        'As a code of six digits, by text message to the phone of the user; it works for ten minutes. Not sent to users with a role other than USER.',
    },
  },
});

interface Request {
  email: string;
  channel: ResetChannel;
  customUrl?: string | null;
}

/** Sends the way to a new password, if the account exists and can be reached; the same answer in any case. */
export async function requestReset(context: Context, { email, channel, customUrl }: Request): Promise<void> {
  const link = await linkTo(context, 'resetPassword', customUrl);
  const address = folded(email);
  await takeMessage(context, address);
  await withMinimumDuration(context, () => (channel === 'SMS' ? sendCode(context, address) : sendLink(context, address, link)));
}

async function sendLink({ sql, services }: Context, address: string, link: (value: string) => string): Promise<void> {
  const user = await sql.first(sql.db.selectFrom('app_user').select('id').where('email', '=', address));
  if (!user) return;
  await sql.transaction(async () => {
    const { value } = await issueValue(sql, 'resetPassword', user.id, { email: address });
    await services.outbox.enqueue(templates.passwordResetMail({ to: address, link: link(value) }), sql, 'counted');
  });
}

async function sendCode(context: Context, address: string): Promise<void> {
  const { sql, services } = context;
  const { code, keepFor } = await newOneTimeCode(context);
  const user = await sql.first(
    sql.db
      .selectFrom('app_user')
      .select(['id', 'phone', 'phone_country_id as phoneCountryId', 'country_id as countryId', isElevated.as('isElevated')])
      .where('email', '=', address),
  );
  // Platforms can set the phone number of a user who has no role yet.
  const to = user?.phone && !user.isElevated ? await callable(sql, user.phone, user.phoneCountryId ?? user.countryId) : null;
  if (!user || !to) return;
  await sql.transaction(async () => {
    await keepFor(sql, user.id);
    // Also counted for the phone, which several accounts can share. Skipped without an error, which would reveal who has the phone.
    await services.outbox.enqueueAll([templates.passwordResetText({ to, code })], sql, 'service');
  });
}
