import { Migration } from '@mikro-orm/migrations';

/** Columns that the service always sets, by table. */
const requiredColumns: Readonly<Record<string, readonly string[]>> = {
  publishable_key: ['platform_id', 'hint'],
  calendar_link: ['user_id'],
  user_image: ['user_id'],
  biography: ['user_id'],
  reaction: ['user_id', 'news_item_id'],
  favorite: ['user_id'],
  notification: ['user_id'],
};

/** Makes columns required that the service always sets, and deletes rows without them, which no caller can use. */
export class Migration0018RequiredOwners extends Migration {
  override up(): void {
    for (const [table, columns] of Object.entries(requiredColumns)) {
      this.addSql(`delete from ${table} where ${columns.map((column) => `${column} is null`).join(' or ')}`);
      this.addSql(`alter table ${table} ${columns.map((column) => `alter column ${column} set not null`).join(', ')}`);
    }
  }
}
