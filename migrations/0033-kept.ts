import { Migration } from '@mikro-orm/migrations';

/** The tables of reference data: their rows and the answers made of them are kept in memory by every process. */
const tables = [
  'amenity_type',
  'bracket_level',
  'contact_reason',
  'country',
  'currency',
  'equipment_type',
  'format',
  'governing_body',
  'module_type',
  'player_group',
  'pro_level',
  'push_notification_type',
  'ranking_division',
  'rating_level',
  'referee_term',
  'role',
  'state',
  'system_text_number',
  'tier_level',
  'time_zone',
  'watch_channel',
  'watch_event_type',
];

/** What is kept in memory has a version, which every transaction that writes to those tables changes. */
export class Migration0033Kept extends Migration {
  override up(): void {
    // Random, and not counted: after a restore no earlier version comes again.
    this.addSql(`create table kept_version (is_only boolean primary key default true check (is_only), version uuid not null)`);
    this.addSql(`insert into kept_version (version) values (gen_random_uuid())`);
    this.addSql(
      `create function kept_changed() returns trigger language plpgsql as $$
       begin
         update kept_version set version = gen_random_uuid();
         return null;
       end $$`,
    );
    for (const table of tables)
      this.addSql(
        `create trigger kept_changed after insert or update or delete or truncate on ${table}
         for each statement execute function kept_changed()`,
      );
  }
}
