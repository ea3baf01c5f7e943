import type { Caller } from '../../kernel/declare/caller.js';
import type { Param } from '../../kernel/session.js';

/** What belongs to an invoice is seen by whoever sees the invoice. */
export const onInvoiceOfCaller = ({ platform, user }: Caller, param: Param): string | null =>
  platform ? null : `exists (select from invoice where invoice.id = r.invoice_id and invoice.user_id = ${param(user?.id)})`;
