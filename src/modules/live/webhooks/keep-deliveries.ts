import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { RowOf } from '../../../kernel/declare/row-of.js';
import { asRow } from '../../../kernel/write/entities.js';
import { changeWebhook } from './change-webhook.js';
import { WebhookDelivery } from './webhook-delivery.js';
import { pingEvent } from './webhook-events.js';
import { addDeliveries, dueAtOnce } from './webhook-sql.js';

const notFound = (id: string): never => fail('NOT_FOUND', `no webhook delivery with the id ${id}`);

async function rowOf({ sql }: Context, id: string, returning: readonly string[]): Promise<RowOf<WebhookDelivery>> {
  const found = await sql.em.findOne(WebhookDelivery, { id });
  return found ? asRow(found, returning) : notFound(id);
}

/** Has a delivery sent once more, at once, before what came later to the same record; of its own webhooks only. */
export async function sendAgain(context: Context, id: string, returning: readonly string[]): Promise<RowOf<WebhookDelivery>> {
  const { sql } = context;
  sql.writes();
  const found = await sql.first(
    sql.db
      .selectFrom('webhook_delivery as d')
      .innerJoin('webhook as w', 'w.id', 'd.webhook_id')
      .select('w.id as webhookId')
      .where('d.id', '=', id)
      .where('w.platform_id', '=', context.caller.platform?.id ?? ''),
  );
  if (!found) return notFound(id);
  return changeWebhook(context, found.webhookId, async () => {
    await dueAtOnce(sql, id);
    return rowOf(context, id, returning);
  });
}

/** Leaves an event that tells of nothing. */
export const ping = (context: Context, webhookId: string, returning: readonly string[]): Promise<RowOf<WebhookDelivery>> =>
  changeWebhook(context, webhookId, async () => {
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
    // Also behind pings that failed: who mended a receiver wants to see it now.
    await dueAtOnce(context.sql, id);
    return rowOf(context, id, returning);
  });
