import { Migration } from '@mikro-orm/migrations';

/** Adds indexes for the search in venues, cities and states of tournaments, leagues and clubs. */
export class Migration0061PlacesInSearch extends Migration {
  override up(): void {
    for (const table of ['tournament', 'league', 'club']) {
      this.addSql(
        `create index "${table}_place_text_idx" on "${table}" using gin (folded(nfc(coalesce(location_venue, '') || ' ' || coalesce(location_city, ''))) gin_trgm_ops)`,
      );
      this.addSql(`create index "${table}_place_name_idx" on "${table}" (folded(nfc(location_state)))`);
    }
  }
}
