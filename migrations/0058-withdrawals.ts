import { Migration } from '@mikro-orm/migrations';

/** Stores the time of withdrawal on items and invoices. Withdrawn items are not owed, even if their refund is declined. */
export class Migration0058Withdrawals extends Migration {
  override up(): void {
    this.addSql(`alter table "invoice" add "withdrawn_at" timestamptz null`);
    this.addSql(`alter table "invoice_item" add "withdrawn_at" timestamptz null`);
    // The triggers that log changes name the columns.
    this.addSql(`select log_changes_of_columns('invoice'), log_changes_of_columns('invoice_item')`);
    // The change has no actor: it is in the change log, but not in the audit trail.
    this.addSql(`alter table invoice disable trigger audited`);
    this.addSql(`alter table invoice_item disable trigger audited`);
    this.addSql(`update invoice_item set withdrawn_at = refund_requested_at where refund_requested_at is not null`);
    this.addSql(`update invoice v set withdrawn_at = withdrawn.at
      from (select invoice_id, max(refund_requested_at) as at from invoice_item where refund_requested_at is not null group by 1) withdrawn
      where v.id = withdrawn.invoice_id`);
    this.addSql(`alter table invoice enable trigger audited`);
    this.addSql(`alter table invoice_item enable trigger audited`);
  }
}
