import { num, text } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';
import { namesCountry } from './country.js';
import { namesState } from './state.js';

@value('A place: free texts, whatever the lists of countries and states have, and where on earth it is.')
export class Place {
  @text('Name of the venue.')
  venue!: string | null;

  @text('Street and number.')
  streetAddress!: string | null;

  @text('City.')
  city!: string | null;

  @text('State or province: free text.', { named: namesState })
  state!: string | null;

  @text('Postal code.')
  zip!: string | null;

  @text('Country: free text.', { named: namesCountry })
  country!: string | null;

  @num('Degrees north, -90 to 90.', { range: [-90, 90] })
  latitude!: number | null;

  @num('Degrees east, -180 to 180.', { range: [-180, 180] })
  longitude!: number | null;
}
