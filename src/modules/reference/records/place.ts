import { num, text } from '../../../kernel/declare/fields/fields.js';
import { value } from '../../../kernel/declare/record.js';
import { namesCountry } from './country.js';
import { namesState } from './state.js';

@value('A location: address and coordinates. `/v1` accepts states and countries that are not in `states` and `countries`.')
export class Place {
  @text('Name of the venue.')
  venue!: string | null;

  @text('Street and number.')
  streetAddress!: string | null;

  @text('City.')
  city!: string | null;

  @text('State or province: title or code.', { nameReference: namesState })
  state!: string | null;

  @text('Postal code.')
  zip!: string | null;

  @text('Country: title or code.', { nameReference: namesCountry })
  country!: string | null;

  @num('Latitude in degrees, -90 to 90.', { range: [-90, 90] })
  latitude!: number | null;

  @num('Longitude in degrees, -180 to 180.', { range: [-180, 180] })
  longitude!: number | null;
}
