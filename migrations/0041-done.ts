import { Migration } from '@mikro-orm/migrations';

/** Whether a request with an Idempotency-Key has committed what it does: said in the same transaction, so that it is known although its answer may be lost. */
export class Migration0041Done extends Migration {
  override up(): void {
    this.addSql('alter table first_answer add column is_done boolean not null default false');
  }
}
