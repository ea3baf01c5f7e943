import { registerEnumType } from 'type-graphql';
import { createdAt, id, instant, int, num, ref, text, texts, values } from '../../../kernel/declare/fields.js';
import { platform, superAdmin } from '../../../kernel/declare/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { nobodyWrites } from '../../../kernel/declare/writers.js';
import { Webhook } from './webhook.js';

export const WebhookDeliveryStatus = { PENDING: 'PENDING', DELIVERED: 'DELIVERED', GIVEN_UP: 'GIVEN_UP' } as const;
export type WebhookDeliveryStatus = keyof typeof WebhookDeliveryStatus;
registerEnumType(WebhookDeliveryStatus, {
  name: 'WebhookDeliveryStatus',
  description: 'What became of a delivery so far.',
  valuesConfig: {
    PENDING: { description: 'It is to be sent, for the first time or again.' },
    DELIVERED: { description: 'The receiver answered with a status from 200 to 299.' },
    GIVEN_UP: { description: 'It failed, and the platform has passed it over.' },
  },
});

@record(
  {
    table: 'webhook_delivery',
    // What is sent of changes would be changes itself.
    unlogged: true,
    one: 'webhookDelivery',
    many: 'webhookDeliveries',
    read: [platform, superAdmin],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
    visible: ({ platform, user }, param) =>
      user?.isSuperAdmin
        ? null
        : `${param.row}.webhook_id in (select id from ${param.table('webhook')} where platform_id = ${param(platform?.id ?? '')})`,
    indexes: {
      due: `(webhook_id, next_attempt_at) where status = 'PENDING'`,
      lane: `(webhook_id, record_type, record_key, "position") where status = 'PENDING'`,
    },
  },
  'An event for a webhook, and what became of it. A platform sees those of its own webhooks, a super admin all. They are kept for `CHANGES_DAYS`.',
)
export class WebhookDelivery {
  @id('Id of the delivery.')
  id!: string;

  @ref(
    () => Webhook,
    { one: 'webhook', many: 'deliveries', manyDescription: 'What was sent to it, and what is to be.' },
    'Where it is sent to.',
  )
  webhookId!: string | null;

  @text('What stands in the header `webhook-id`: of one event the same at each attempt, also by hand.', {
    required: true,
    letters: 'exact',
    max: 255,
  })
  eventKey!: string;

  @text('What happened, such as `team.changed`.', { required: true, letters: 'exact', max: 255 })
  event!: string;

  @text('Type of the record that it happened to, as it is called here: Team.', { required: true, letters: 'exact', max: 255 })
  recordType!: string;

  @text('Id of that record, which may be gone by now.', { required: true, letters: 'exact', max: 255 })
  recordKey!: string;

  @texts('Fields of the record that hold something else than before; none where it was made or deleted.')
  changedFields!: string[];

  @instant('When it happened.', { required: true })
  happenedAt!: string;

  @values(WebhookDeliveryStatus, 'What became of it so far.', { required: true, default: `'PENDING'` })
  status!: WebhookDeliveryStatus;

  @int('How often it was sent, since it was last asked for by hand.', { required: true, default: '0' })
  attempts!: number;

  @int('Status of the last answer; null where none came.')
  httpStatus!: number | null;

  @text('Why the last attempt failed, with the beginning of the answer; null where it did not.', { max: 500 })
  error!: string | null;

  @instant(
    'When it is sent next, unless an earlier one of the same record is still on its way or the webhook is paused; null once it is not sent any more.',
  )
  nextAttemptAt!: string | null;

  @instant('When the receiver took it.')
  deliveredAt!: string | null;

  @createdAt('When it was taken from the log of changes.')
  createdAt!: string;

  @text('The place in the log, as clients keep it.', { secret: true })
  cursor!: string | null;

  @num('The place in the order of its record.', { secret: true, required: true, default: '0' })
  position!: number;
}
