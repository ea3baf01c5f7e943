import { registerEnumType } from 'type-graphql';
import { emailForm } from '../../../kernel/declare/email.js';
import { id, instant, ref, text, texts, values } from '../../../kernel/declare/fields.js';
import { Kept } from '../../../kernel/declare/kept.js';
import { platform, superAdmin } from '../../../kernel/declare/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { Platform } from '../../accounts/platform.js';

export const WebhookPauseReason = { REQUESTED: 'REQUESTED', FAILED: 'FAILED', GONE: 'GONE' } as const;
export type WebhookPauseReason = keyof typeof WebhookPauseReason;
registerEnumType(WebhookPauseReason, {
  name: 'WebhookPauseReason',
  description: 'Why nothing is sent to a webhook.',
  valuesConfig: {
    REQUESTED: { description: 'Its platform requested it.' },
    FAILED: { description: 'A delivery had failed for a day.' },
    GONE: { description: 'The receiver answered 410.' },
  },
});

@record(
  {
    table: 'webhook',
    changesBy: ['platformId'],
    one: 'webhook',
    many: 'webhooks',
    read: [platform, superAdmin],
    write: { by: [platform] },
    audited: ['platformId', 'events', 'pausedAt'],
    rootFields: ['one', 'many'],
    visible: ({ platform, user }, param) =>
      user?.isSuperAdmin ? null : `${param.row}.platform_id = ${param(platform?.id ?? '')}`,
  },
  'An address to which a platform has changes sent, signed as Standard Webhooks are, at least once and in the order of each record. A platform sees its own, a super admin all. Nobody sees its secret after it was made.',
)
export class Webhook extends Kept {
  @id('Id of the webhook.')
  id!: string;

  @ref(() => Platform, { one: 'platform' }, 'The platform that it belongs to.', { readOnly: true })
  platformId!: string | null;

  @text('Where deliveries are posted to.', { required: true, max: 2000, letters: 'exact', readOnly: true })
  url!: string;

  @texts('The events that are sent, such as `team.changed`, or `team.*` for all of a record.', { readOnly: true })
  events!: string[];

  @text('E-mail address that is notified when the service pauses the webhook. It gets no notices until it is confirmed.', {
    form: emailForm,
    max: 254,
    readOnly: true,
  })
  contactEmail!: string | null;

  @instant('Time at which the contact was confirmed. Null for an unconfirmed contact.', {
    readOnly: true,
  })
  contactVerifiedAt!: string | null;

  @text('SHA-256 of the code that confirms the contact.', { secret: true, readOnly: true })
  contactCodeHash!: string | null;

  @instant('Time at which the contact was last notified.', { secret: true, readOnly: true })
  contactNoticedAt!: string | null;

  @instant('Since when nothing is sent to it; null while it is at work.', { readOnly: true })
  pausedAt!: string | null;

  @values(WebhookPauseReason, 'Why nothing is sent to it.', { readOnly: true })
  pauseReason!: WebhookPauseReason | null;

  @text('What the last delivery came to before the service paused it.', { max: 500, readOnly: true })
  pauseError!: string | null;

  @instant('Until when the secret before the present one signs, too; null where there is none.', { readOnly: true })
  previousSecretEndsAt!: string | null;

  @text('Its secret, as it is kept.', { secret: true, required: true, readOnly: true })
  secret!: string;

  @text('The secret before that one.', { secret: true, readOnly: true })
  previousSecret!: string | null;
}
