import { Migration } from '@mikro-orm/migrations';

/** Items of an invoice by their currencies: whether there are others than one is seen without reading them all. */
export class Migration0051Currencies extends Migration {
  override up(): void {
    this.addSql(`create index invoice_item_currency_idx on invoice_item (invoice_id, upper(currency)) where currency <> ''`);
  }
}
