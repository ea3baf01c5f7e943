import { Migration } from '@mikro-orm/migrations';

/** Leagues state the currency of their fees. */
export class Migration0060LeagueCurrencies extends Migration {
  override up(): void {
    this.addSql('alter table "league" add "currency" text null');
    // Recreates the trigger of the change log, which lists the columns that it compares.
    this.addSql(`select log_changes_of_columns('league')`);
  }
}
