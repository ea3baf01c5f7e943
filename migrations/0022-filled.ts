import { Migration } from '@mikro-orm/migrations';

/** Columns of the reference data that every row fills, with what stands in for nothing until the service brings its rows at the start. */
const reference: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  amenity_type: { display_order: 0, title: '' },
  bracket_level: { display_order: 0, public_display_order: 0, title: '' },
  contact_reason: { name: '' },
  country: { abbreviation: '', alpha2: '', calling_code: '', region_id: 0, state_title: '', title: '', zip_code_title: '' },
  currency: { abbreviation: '', title: '' },
  equipment_type: { title: '' },
  format: { display_order: 0, short_hand: '', title: '' },
  governing_body: { display_order: 0, filter_search_param: '', name: '', short_name: '' },
  module_type: { title: '' },
  player_group: { description: '', display_order: 0, title: '' },
  pro_level: { display_order: 0, title: '' },
  push_notification_type: { description: '', title: '' },
  ranking_division: { display_order: 0, title: '' },
  rating_level: { hierarchy: 0, highest: 0, lowest: 0, self_start_point: 0, title: '' },
  referee_term: { name: '' },
  state: { abbreviation: '', title: '' },
  system_text_number: { phone_number: '', text_platform: '' },
  tier_level: { name: '' },
  time_zone: {
    abbreviation: '',
    daylight_abbreviation: '',
    daylight_utc_offset: 0,
    full_name: '',
    iana_name: '',
    name: '',
    utc_offset: 0,
  },
  watch_channel: { display_order: 0, title: '', url: '' },
  watch_event_type: { display_order: 0, title: '' },
};

const anySlug = '(gen_random_uuid())::text';
/** Capitals, as the service's own codes are. */
const anyCode = 'upper(substr(md5((random())::text), 1, 8))';

/** Columns that the creation of a row fills; rows that came past the service get something unique. */
const assigned = {
  club: ['slug', anySlug],
  league: ['slug', anySlug],
  league_listing: ['slug', anySlug],
  news_item: ['slug', anySlug],
  tournament: ['code', anyCode],
};

export class Migration0022Filled extends Migration {
  override up(): void {
    for (const [table, columns] of Object.entries(reference))
      for (const [column, nothing] of Object.entries(columns)) {
        this.addSql(`update "${table}" set "${column}" = ${nothing === '' ? "''" : nothing} where "${column}" is null`);
        this.addSql(`alter table "${table}" alter column "${column}" set not null`);
      }
    for (const [table, [column, value]] of Object.entries(assigned)) {
      this.addSql(`update "${table}" set "${column}" = ${value} where "${column}" is null`);
      this.addSql(`alter table "${table}" alter column "${column}" set default ${value}, alter column "${column}" set not null`);
    }
  }
}
