import { flag, id, int, num, text } from '../../../kernel/declare/fields/fields.js';
import type { NameReference } from '../../../kernel/declare/meta.js';
import { record } from '../../../kernel/declare/record.js';
import { lookupOptions, OrderedLookup } from './lookup.js';

/** Makes a number field refer to a format by ID. */
export const formatReference: NameReference = {
  target: () => Format,
  relation: 'format',
  columns: ['id'],
  expected: 'the id of a format',
};

@record(
  { ...lookupOptions, table: 'format', one: 'format', many: 'formats', constant: true },
  "Format of an event, such as men's singles or mixed doubles. Reference data, read-only.",
)
export class Format extends OrderedLookup {
  @id('Numeric ID of the format, as a string.')
  id!: string;

  @text('Title, such as Mixed Doubles.', { required: true })
  title!: string;

  @num('Position in lists. May be fractional.', { required: true })
  displayOrder!: number;

  @flag('Whether the format can be selected.')
  isEnabled!: boolean;

  @flag('Whether the format is played in pairs.')
  needsPartner!: boolean;

  @text('Abbreviation, such as MD.', { required: true })
  abbreviation!: string;
}

/** Makes a number field refer to a player group by ID. */
export const playerGroupReference: NameReference = {
  target: () => PlayerGroup,
  relation: 'playerGroup',
  columns: ['id'],
  expected: 'the id of a player group',
};

@record(
  { ...lookupOptions, table: 'player_group', one: 'playerGroup', many: 'playerGroups', constant: true },
  'Group of players that an event is open to, defined by gender and age. Reference data, read-only.',
)
export class PlayerGroup extends OrderedLookup {
  @id('Numeric ID of the group, as a string.')
  id!: string;

  @text('Title, such as Senior Women.', { required: true })
  title!: string;

  @text('Players who belong to the group.', { required: true })
  description!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;
}

@record(
  { ...lookupOptions, table: 'bracket_level', one: 'bracketLevel', many: 'bracketLevels', constant: true },
  'Level of play of a bracket, such as Pro or 4.5. Reference data, read-only.',
)
export class BracketLevel extends OrderedLookup {
  @id('Numeric ID of the level, as a string.')
  id!: string;

  @text('Title, such as Senior Pro or 4.5.', { required: true })
  title!: string;

  @int('Position in lists for organizers, from 1.', { required: true })
  displayOrder!: number;

  @flag('Whether the level can be selected.')
  isEnabled!: boolean;

  @int('Position in lists for players, from 1.', { required: true })
  publicDisplayOrder!: number;
}
