import { Migration } from '@mikro-orm/migrations';

/** `subject` of a notification is what it points to; the column holds its kind. */
export class Migration0026Subjects extends Migration {
  override up(): void {
    this.addSql(`alter table "notification" rename column "subject" to "subject_kind"`);
  }
}
