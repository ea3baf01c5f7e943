import { enumeration } from '../../../kernel/declare/enumeration.js';
import { expression, parameter } from '../../../kernel/declare/expression.js';
import { id, instant, ref, text, texts, values } from '../../../kernel/declare/fields/fields.js';
import { platform, superAdmin, superAdminFor } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { emailFormat } from '../../../kernel/declare/scalars/email.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { Platform } from '../../accounts/platforms/platform.js';

export const WebhookPauseReason = enumeration('WebhookPauseReason', 'Reason why a webhook is paused.', {
  REQUESTED: 'The platform paused the webhook.',
  FAILED: 'All attempts of a delivery failed, over the course of about a day.',
  GONE: 'The receiver responded with status 410.',
});
export type WebhookPauseReason = keyof typeof WebhookPauseReason;
@record(
  {
    table: 'webhook',
    changeLogColumns: ['platformId'],
    one: 'webhook',
    many: 'webhooks',
    read: [platform, superAdmin],
    write: { policies: [platform, superAdminFor('platformId')] },
    audited: ['platformId', 'events', 'pausedAt'],
    rootFields: ['one', 'many'],
    visibleCondition: ({ platform, user }, row) =>
      user?.isSuperAdmin ? null : expression`${row}.platform_id = ${parameter(platform?.id ?? '')}`,
  },
  'Webhook of a platform, which receives events about changes. Deliveries are signed according to Standard Webhooks. Each event is sent at least once. Events about the same record are sent in order. A platform sees its own webhooks. Super admins see all. The secret is returned only when it is created.',
)
export class Webhook extends TrackedRecord {
  @id('ID of the webhook.')
  id!: string;

  @ref(() => Platform, { one: 'platform' }, 'Platform that the webhook belongs to.', { readOnly: true })
  platformId!: string | null;

  @text('URL that deliveries are posted to.', { required: true, max: 2000, comparison: 'exact', readOnly: true })
  url!: string;

  @texts('Events to send, such as `team.changed`, or `team.*` for all events of a record.', { readOnly: true })
  events!: string[];

  @text('Email address that is notified when the service pauses the webhook. It must be confirmed first.', {
    format: emailFormat,
    max: 254,
    readOnly: true,
  })
  contactEmail!: string | null;

  @instant('When the contact was confirmed. Null for an unconfirmed contact.', {
    readOnly: true,
  })
  contactVerifiedAt!: string | null;

  @text('SHA-256 hash of the code that confirms the contact.', { secret: true, readOnly: true })
  contactCodeHash!: string | null;

  @instant('When the contact was last notified.', { secret: true, readOnly: true })
  contactNotifiedAt!: string | null;

  @instant('When the webhook was paused. Null while the webhook is active.', { readOnly: true })
  pausedAt!: string | null;

  @values(WebhookPauseReason, 'Reason why the webhook is paused. Null while the webhook is active.', { readOnly: true })
  pauseReason!: WebhookPauseReason | null;

  @text('Error of the last attempt before the service paused the webhook. Null if the platform paused it.', {
    max: 500,
    readOnly: true,
  })
  pauseError!: string | null;

  @instant('When the previous secret expires. Null if no previous secret is valid.', { readOnly: true })
  previousSecretEndsAt!: string | null;

  @text('Secret, encrypted if WEBHOOK_KEY is set.', { secret: true, required: true, readOnly: true })
  secret!: string;

  @text('Previous secret, encrypted if WEBHOOK_KEY is set.', { secret: true, readOnly: true })
  previousSecret!: string | null;
}
