import { sql as raw, type SqlBool } from 'kysely';
import type { Session } from '../../../kernel/session.js';

/** Marks unanswered payment requests of invoices as superseded, except the current one. Superseded requests must not be collected. */
export async function supersedeRequests(sql: Session, invoiceIds: readonly string[], currentId: string | null): Promise<void> {
  await sql.run(
    sql.db
      .updateTable('provider_request as q')
      .set({ superseded_at: raw`clock_timestamp()`, updated_at: raw`clock_timestamp()` })
      .where(raw<SqlBool>`q.invoice_id = any(${invoiceIds})`)
      .where('q.id', 'is distinct from', currentId)
      .where('q.superseded_at', 'is', null)
      .where((q) => q.not(q.exists(q.selectFrom('provider_response as a').select('a.id').whereRef('a.request_id', '=', 'q.id')))),
  );
}
