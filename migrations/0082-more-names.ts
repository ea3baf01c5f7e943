import { Migration } from '@mikro-orm/migrations';

const columns: readonly (readonly [table: string, from: string, to: string])[] = [
  ['contact_reason', 'for_platforms', 'is_for_platforms'],
  ['contact_reason', 'for_tournaments', 'is_for_tournaments'],
  ['invoice_item', 'item_type', 'type'],
  ['provider_response', 'payment_date', 'payment_time'],
  ['time_zone', 'daylight_change', 'daylight_starts_at'],
  ['time_zone', 'standard_change', 'standard_starts_at'],
];

/** Gives columns the names of their fields, and webhooks the current names of a pause reason and an event. */
export class Migration0082MoreNames extends Migration {
  override up(): void {
    for (const [table, from, to] of columns) this.addSql(`alter table "${table}" rename column "${from}" to "${to}"`);
    this.addSql(`update webhook set pause_reason = 'REQUESTED' where pause_reason = 'ASKED'`);
    this.addSql(`update webhook_delivery set event = 'changes.missed' where event = 'changes.forgotten'`);
  }
}
