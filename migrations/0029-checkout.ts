import { Migration } from '@mikro-orm/migrations';

export class Migration0029Checkout extends Migration {
  override up(): void {
    this.addSql(
      `alter table "provider_request" add "provider" text not null default 'PROVIDER_ONE', add "superseded_at" timestamptz null`,
    );
    this.addSql(`alter table "invoice_item" add "refund_requested_at" timestamptz null`);
    this.addSql(
      `create index invoice_item_refund_idx on invoice_item (refund_requested_at) where refund_requested_at is not null`,
    );
  }
}
