import { Migration } from '@mikro-orm/migrations';

/** From where users have signed in, as hashes: wrong passwords from elsewhere do not lock them out there. */
export class Migration0037SignIns extends Migration {
  override up(): void {
    this.addSql(
      `create table sign_in_place (
         user_id text not null,
         place_hash text not null,
         seen_at timestamptz not null default clock_timestamp(),
         primary key (user_id, place_hash)
       )`,
    );
    this.addSql(`create index sign_in_place_seen_at_idx on sign_in_place (seen_at)`);
  }
}
