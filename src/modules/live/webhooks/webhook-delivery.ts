import { FieldResolver, Resolver, Root } from 'type-graphql';
import { enumeration } from '../../../kernel/declare/enumeration.js';
import { expression, parameter, tableNamed } from '../../../kernel/declare/expression.js';
import { createdAt, id, instant, int, listOf, num, ref, text, texts, values } from '../../../kernel/declare/fields/fields.js';
import { platform, superAdmin } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { readsColumns, record } from '../../../kernel/declare/record.js';
import { Webhook } from './webhook.js';
import { maxPastAttempts, WebhookAttempt } from './webhook-attempt.js';
import { deliveryBody } from './webhook-events.js';

export const WebhookDeliveryStatus = enumeration('WebhookDeliveryStatus', 'Status of a delivery.', {
  PENDING: 'The delivery is waiting for its first or next attempt.',
  DELIVERED: 'The receiver responded with a status from 200 to 299.',
  GIVEN_UP: 'The delivery failed and was skipped when the platform resumed the webhook. It is not sent again.',
});
export type WebhookDeliveryStatus = keyof typeof WebhookDeliveryStatus;
@record(
  {
    table: 'webhook_delivery',
    // If deliveries were logged, each delivery would cause another change.
    unlogged: true,
    one: 'webhookDelivery',
    many: 'webhookDeliveries',
    read: [platform, superAdmin],
    write: noWriters,
    rootFields: ['one', 'many'],
    visibleCondition: ({ platform, user }, row) =>
      user?.isSuperAdmin
        ? null
        : expression`${row}.webhook_id in (select id from ${tableNamed('webhook')} where platform_id = ${parameter(platform?.id ?? '')})`,
    indexes: {
      due: `(webhook_id, next_attempt_at) where status = 'PENDING'`,
      record_order: `(webhook_id, record_type, record_key, "position") where status = 'PENDING'`,
    },
  },
  'Delivery of an event to a webhook. A platform sees the deliveries of its own webhooks. Super admins see all. Deliveries are deleted after `CHANGES_DAYS` days.',
)
export class WebhookDelivery {
  @id('ID of the delivery.')
  id!: string;

  @ref(
    () => Webhook,
    { one: 'webhook', many: 'deliveries', manyDescription: 'Past and pending deliveries of the webhook.' },
    'Webhook that receives the delivery.',
  )
  webhookId!: string | null;

  @text('Value of the header `webhook-id`. All attempts for one event have the same value, including manual ones.', {
    required: true,
    comparison: 'exact',
    max: 255,
  })
  eventKey!: string;

  @text('Event name, such as `team.changed`.', { required: true, comparison: 'exact', max: 255 })
  event!: string;

  @text('GraphQL type of the record, such as `Team`.', { required: true, comparison: 'exact', max: 255 })
  recordType!: string;

  @text('ID of the record, which may have been deleted since.', { required: true, comparison: 'exact', max: 255 })
  recordKey!: string;

  @texts('Changed fields of the record. Empty if the record was created or deleted.')
  changedFields!: string[];

  @instant('When the event happened.', { required: true })
  happenedAt!: string;

  @values(WebhookDeliveryStatus, 'Status of the delivery.', { required: true, default: `'PENDING'` })
  status!: WebhookDeliveryStatus;

  @int('Number of attempts since the delivery was created or last resent manually.', { required: true, default: '0' })
  attempts!: number;

  @int('HTTP status of the last response. Null if there was no response.')
  httpStatus!: number | null;

  @text('Reason why the last attempt failed, including the start of the response. Null if the last attempt did not fail.', {
    max: 500,
  })
  error!: string | null;

  @listOf(
    () => WebhookAttempt,
    `Last ${maxPastAttempts} attempts, including those before the delivery was resent. Earliest first.`,
  )
  pastAttempts!: WebhookAttempt[];

  @instant(
    'Time of the next attempt. The attempt waits for earlier deliveries of the same record, and while the webhook is paused. Null if no further attempt is planned.',
  )
  nextAttemptAt!: string | null;

  @instant('When the receiver accepted the delivery. Null if the delivery has not been accepted.')
  deliveredAt!: string | null;

  @createdAt('When the event was read from the change log.')
  createdAt!: string;

  @text('Cursor of the change, for subscriptions.', { secret: true })
  cursor!: string | null;

  @num('Position in the order of deliveries of the record.', { secret: true, required: true, default: '0' })
  position!: number;
}

const bodyColumns = ['event', 'happenedAt', 'recordType', 'recordKey', 'changedFields', 'cursor'] as const;

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryFields {
  @FieldResolver(() => String, { description: 'Body of the request, in JSON. It is the same in all attempts.' })
  @readsColumns(...bodyColumns)
  requestBody(@Root() delivery: Pick<WebhookDelivery, (typeof bodyColumns)[number]>): string {
    return deliveryBody(delivery);
  }
}
