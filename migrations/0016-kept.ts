import { Migration } from '@mikro-orm/migrations';

/** Tables whose columns of making held what platforms tell: those columns are called reported_… from now on. */
const reported: Readonly<Record<string, readonly string[]>> = {
  tournament: ['created_at', 'updated_at'],
  registration: ['created_at', 'created_by', 'updated_at', 'updated_by'],
  event_registration: ['created_at', 'created_by', 'updated_at', 'updated_by'],
  final_standing: ['created_at', 'updated_at'],
  discount_code: ['created_at', 'created_by', 'updated_at', 'updated_by'],
  invoice: ['created_at', 'created_by', 'updated_at', 'updated_by'],
  invoice_item: ['created_at', 'created_by'],
  payment: ['created_at', 'created_by'],
  merchant_link: ['created_at', 'created_by', 'updated_at', 'updated_by'],
  provider_request: ['created_at', 'created_by'],
  provider_response: ['created_at', 'created_by'],
  news_item: ['created_at', 'created_by', 'updated_at', 'updated_by'],
  sponsor: ['created_at'],
  user_image: ['created_at'],
  biography: ['created_at'],
  prematch: ['created_at'],
  pregame: ['created_at'],
};

/** Those of them that have no other column which says when a row came. */
const alone = ['news_item', 'sponsor', 'user_image', 'biography', 'prematch', 'pregame'];

/** Tables that told when a row came, and nothing more. */
const inserted = [
  'team',
  'tournament_referee',
  'ranking_points',
  'league',
  'club',
  'league_listing',
  'news_outlet',
  'category',
  'payment_setup',
  'sanction_setup',
];
const created = ['tournament_event', 'app_user', 'platform', 'game', 'game_group', 'sponsor_image', 'approval_comment'];

/** The service keeps of every record when it was created and last changed, and by whom, beside what platforms tell of it. */
export class Migration0016Kept extends Migration {
  override up(): void {
    for (const [table, columns] of Object.entries(reported)) {
      for (const column of columns) this.addSql(`alter table ${table} rename column ${column} to reported_${column}`);
      const missing = ['created_by', 'updated_at', 'updated_by'].filter((column) => !columns.includes(column));
      for (const column of missing)
        this.addSql(`alter table ${table} add column reported_${column} ${column.endsWith('_at') ? 'timestamptz' : 'text'} null`);
    }
    for (const table of alone) {
      this.addSql(`alter index ${table}_created_at_idx rename to ${table}_reported_created_at_idx`);
      this.addSql(`alter table ${table} add column created_at timestamptz not null default clock_timestamp()`);
      this.addSql(`update ${table} set created_at = reported_created_at`);
      this.addSql(`create index ${table}_created_at_idx on ${table} (created_at desc nulls last, id)`);
    }
    for (const table of [...Object.keys(reported).filter((name) => !alone.includes(name)), ...inserted]) {
      this.addSql(`alter table ${table} rename column inserted_at to created_at`);
      this.addSql(`alter index ${table}_inserted_at_idx rename to ${table}_created_at_idx`);
    }
    this.addSql(`update ranking_points set updated_at = created_at where updated_at is null`);
    this.addSql(
      `alter table ranking_points alter column updated_at set default clock_timestamp(), alter column updated_at set not null`,
    );
    for (const table of [...Object.keys(reported), ...inserted, ...created]) {
      if (table !== 'ranking_points') {
        this.addSql(`alter table ${table} add column updated_at timestamptz not null default clock_timestamp()`);
        this.addSql(`update ${table} set updated_at = created_at`);
      }
      this.addSql(`alter table ${table} add column created_by text null, add column updated_by text null`);
    }
  }
}
