import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { entityToRow } from '../../../kernel/write/entities.js';
import { actingPlatformId, changeWebhook, type WebhookReference } from './change-webhook.js';
import { WebhookDelivery } from './webhook-delivery.js';
import { pingEvent } from './webhook-events.js';
import { addDeliveries, makeDue } from './webhook-sql.js';

const throwNotFound = (id: string): never => fail('NOT_FOUND', `no webhook delivery with the id ${id}`);

async function readDelivery({ sql }: Context, id: string, returning: readonly string[]): Promise<RowOf<WebhookDelivery>> {
  const delivery = await sql.em.findOne(WebhookDelivery, { id });
  return delivery ? entityToRow(delivery, returning) : throwNotFound(id);
}

/** Sends a delivery again immediately, before later deliveries for the same record. Throws NOT_FOUND for deliveries of other platforms. */
export async function resendDelivery(
  context: Context,
  { id, platformId }: WebhookReference,
  returning: readonly string[],
): Promise<RowOf<WebhookDelivery>> {
  const { sql } = context;
  sql.usePrimary();
  const delivery = await sql.first(
    sql.db
      .selectFrom('webhook_delivery as d')
      .innerJoin('webhook as w', 'w.id', 'd.webhook_id')
      .select('w.id as webhookId')
      .where('d.id', '=', id)
      .where('w.platform_id', '=', actingPlatformId(context, { platformId })),
  );
  if (!delivery) return throwNotFound(id);
  return changeWebhook(context, { id: delivery.webhookId, platformId }, async () => {
    await makeDue(sql, id);
    return readDelivery(context, id, returning);
  });
}

/** Queues a test event that contains no change. */
export const pingWebhook = (
  context: Context,
  key: WebhookReference,
  returning: readonly string[],
): Promise<RowOf<WebhookDelivery>> =>
  changeWebhook(context, key, async ({ id: webhookId }) => {
    const id = uuidv7();
    await addDeliveries(context.sql, webhookId, [
      {
        id,
        eventKey: `ping_${id}`,
        event: pingEvent,
        recordType: 'Webhook',
        recordKey: webhookId,
        changedFields: [],
        happenedAt: new Date().toISOString(),
        cursor: '',
        position: 0,
      },
    ]);
    // Also retries earlier failed pings, because they come before this ping in the same queue.
    await makeDue(context.sql, id);
    return readDelivery(context, id, returning);
  });
