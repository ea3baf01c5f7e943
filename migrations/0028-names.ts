import { Migration } from '@mikro-orm/migrations';

/** Columns have the names of their fields: one word for one thing. */
export class Migration0028Names extends Migration {
  override up(): void {
    this.addSql(`alter table "tournament" rename column "is_cancelled" to "is_canceled"`);
    this.addSql(`alter table "tournament_event" rename column "is_cancelled" to "is_canceled"`);
  }
}
