import { num, text } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';
import { namesCountry } from '../reference/country.js';
import { namesState } from '../reference/state.js';

@value('Where a league plays: free texts, whatever the lists of countries and states have.')
export class LeagueLocation {
  @text('Name of the venue.')
  venue!: string | null;

  @text('Street and number.')
  streetAddress!: string | null;

  @text('City.')
  city!: string | null;

  @text('State or province.', { named: namesState })
  state!: string | null;

  @text('Postal code.')
  zip!: string | null;

  @text('Country.', { named: namesCountry })
  country!: string | null;

  @num('Degrees north, -90 to 90.', { range: [-90, 90] })
  latitude!: number | null;

  @num('Degrees east, -180 to 180.', { range: [-180, 180] })
  longitude!: number | null;
}
