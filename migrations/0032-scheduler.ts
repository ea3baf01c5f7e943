import { Migration } from '@mikro-orm/migrations';

/** What is sent of the day by the clocks of a place stands beside the day, which follows from both. */
export class Migration0032Scheduler extends Migration {
  override up(): void {
    this.addSql(`alter table game rename column local_day to local_day_raw`);
  }
}
