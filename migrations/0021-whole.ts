import { Migration } from '@mikro-orm/migrations';

/** Numbers of the reference data that are whole. Its rows come with the service, so nothing is lost. */
const columns = {
  amenity_type: ['display_order'],
  bracket_level: ['display_order', 'public_display_order'],
  country: ['region_id'],
  governing_body: ['display_order'],
  player_group: ['display_order'],
  pro_level: ['display_order'],
  ranking_division: ['display_order'],
  rating_level: ['hierarchy'],
  referee_term: ['length_in_minutes'],
  time_zone: ['utc_offset', 'daylight_utc_offset'],
  watch_channel: ['display_order'],
  watch_event_type: ['display_order'],
};

export class Migration0021Whole extends Migration {
  override up(): void {
    for (const [table, names] of Object.entries(columns))
      for (const name of names) this.addSql(`alter table "${table}" alter column "${name}" type int using round("${name}")::int`);
  }
}
