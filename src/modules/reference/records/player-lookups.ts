import { flag, id, int, num, text } from '../../../kernel/declare/fields/fields.js';
import { record } from '../../../kernel/declare/record.js';
import { lookupOptions, OrderedLookup } from './lookup.js';

@record(
  { ...lookupOptions, table: 'rating_level', one: 'ratingLevel', many: 'ratingLevels' },
  'Range of player ratings. Reference data, read-only.',
)
export class RatingLevel extends OrderedLookup {
  @id('Numeric ID of the level, as a string.')
  id!: string;

  @text('Title, such as 3.5.', { required: true })
  title!: string;

  @num('Lowest rating, inclusive.', { required: true })
  lowest!: number;

  @num('Highest rating, inclusive.', { required: true })
  highest!: number;

  @num('Initial rating of players who choose this level for themselves.', { required: true })
  selfStartPoint!: number;

  @int('Position of the level. 1 is the lowest level.', { required: true })
  hierarchy!: number;

  @flag('Whether the level can be selected.')
  isEnabled!: boolean;
}

@record(
  { ...lookupOptions, table: 'pro_level', one: 'proLevel', many: 'proLevels' },
  'Level of players, from amateur to champions pro. Reference data, read-only.',
)
export class ProLevel extends OrderedLookup {
  @id('Numeric ID of the level, as a string.')
  id!: string;

  @text('Title, such as Collegiate.', { required: true })
  title!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('Whether the level can be selected.')
  isEnabled!: boolean;

  @flag('Whether the level is professional.')
  isPro!: boolean;
}

@record(
  { ...lookupOptions, table: 'ranking_division', one: 'rankingDivision', many: 'rankingDivisions' },
  'Division of the rankings. Reference data, read-only.',
)
export class RankingDivision extends OrderedLookup {
  @id("ID of the division: 1 women's singles, 2 men's singles, 3 mixed doubles, 4 women's doubles, 5 men's doubles.")
  id!: string;

  @text('Title, such as Mixed Doubles.', { required: true })
  title!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('Whether the division is currently ranked.')
  isEnabled!: boolean;
}

@record(
  { ...lookupOptions, table: 'equipment_type', one: 'equipmentType', many: 'equipmentTypes' },
  'Type of player equipment. Reference data, read-only.',
)
export class EquipmentType extends OrderedLookup {
  @id('Numeric ID of the type, as a string.')
  id!: string;

  @text('Title, such as Paddle.', { required: true })
  title!: string;

  @flag('Whether the type is in use.')
  isEnabled!: boolean;
}
