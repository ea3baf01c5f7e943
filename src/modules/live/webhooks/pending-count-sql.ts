import { readSql } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';

/** Number of pending deliveries of all webhooks. */
export async function countPendingDeliveries(sql: Session): Promise<number> {
  const row = await sql.row(
    readSql(['webhook_delivery'], `select count(*) as n from webhook_delivery where status = 'PENDING'`),
    [],
    { n: is.number },
  );
  return row?.n ?? 0;
}
