import { flag, id, int, ref, text } from '../../../kernel/declare/fields/fields.js';
import { type NameReference, recordNamed } from '../../../kernel/declare/meta.js';
import { record } from '../../../kernel/declare/record.js';
import bodies from '../data/governingBodies.json' with { type: 'json' };
import { lookupOptions, OrderedLookup } from './lookup.js';

/** IDs of governing bodies, keyed by code. */
export const governingBodyIds: ReadonlyMap<string, string> = new Map(bodies.map(({ code, id }) => [code, id]));

@record(
  { ...lookupOptions, table: 'governing_body', one: 'governingBody', many: 'governingBodies', constant: true },
  'Governing body that sanctions tournaments. Reference data, read-only.',
)
export class GoverningBody extends OrderedLookup {
  @id('Numeric ID of the governing body, as a string.')
  id!: string;

  @text('Code, as in `SanctioningBody`: APP, GPA, MLP, PAA, PCO, PPA, SSIPA, USAP or WPF.', { required: true })
  code!: string;

  @text('Full title.', { required: true })
  title!: string;

  @text('Short name.', { required: true })
  shortName!: string;

  @flag('Whether the governing body currently sanctions tournaments.')
  isEnabled!: boolean;

  @flag('Whether tournaments can be filtered by the governing body.')
  isSearchFilter!: boolean;

  @text('Query parameter of the `/v1` tournament search that filters by the governing body, such as `sanction_ppa`.', {
    required: true,
    legacyOnlyName: 'searchParameter',
  })
  legacySearchParameter!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @text('URL of the website.')
  url!: string | null;

  @ref(() => recordNamed('Club'), { one: 'club' }, 'Club of the governing body, if it has one.', { index: false })
  clubId!: string | null;

  @text('URL of the logo.')
  logoUrl!: string | null;
}

/** Makes a text field refer to a tier level by title. */
export const tierReference: NameReference = {
  target: () => TierLevel,
  columns: ['title'],
  expected: 'the title of a tier, such as Masters',
};

@record(
  { ...lookupOptions, table: 'tier_level', one: 'tierLevel', many: 'tierLevels', constant: true },
  'Tier of tournaments. Events of higher tiers give more ranking points. Reference data, read-only.',
)
export class TierLevel extends OrderedLookup {
  @id('ID of the tier, a UUID.')
  id!: string;

  @text('Title, such as Masters.', { required: true })
  title!: string;
}

@record(
  { ...lookupOptions, table: 'amenity_type', one: 'amenityType', many: 'amenityTypes' },
  'Type of service for visitors to a tournament, such as lodging, rental cars or flights. Reference data, read-only.',
)
export class AmenityType extends OrderedLookup {
  @id('Numeric ID of the type, as a string.')
  id!: string;

  @text('Title, such as Car Rental.', { required: true })
  title!: string;

  @flag('Whether the type can be selected.')
  isEnabled!: boolean;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;
}

@record(
  { ...lookupOptions, table: 'watch_channel', one: 'watchChannel', many: 'watchChannels' },
  'Channel that broadcasts matches. Reference data, read-only.',
)
export class WatchChannel extends OrderedLookup {
  @id('Numeric ID of the channel, as a string.')
  id!: string;

  @text('Title, such as YouTube.', { required: true })
  title!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('Whether the channel is in use.')
  isEnabled!: boolean;

  @text('URL of the website.', { required: true })
  url!: string;
}

@record(
  { ...lookupOptions, table: 'watch_event_type', one: 'watchEventType', many: 'watchEventTypes' },
  'Type of match broadcast, such as live stream, television or replay. Reference data, read-only.',
)
export class WatchEventType extends OrderedLookup {
  @id('Numeric ID of the type, as a string.')
  id!: string;

  @text('Title, such as Live Stream.', { required: true })
  title!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('Whether the type is in use.')
  isEnabled!: boolean;
}
