import { enumeration } from '../../../kernel/declare/enumeration.js';
import { flagInNumber, integerInNumber } from '../../../kernel/declare/fields/converted-fields.js';
import { flag, num } from '../../../kernel/declare/fields/fields.js';
import { value } from '../../../kernel/declare/record.js';

/** Interval of a repeated game (decision 32). */
export const GameRepeat = enumeration('GameRepeat', 'Interval of a repeated game.', {
  DAILY: 'Every day.',
  WEEKLY: 'Every week.',
  MONTHLY: 'Every month.',
});
export type GameRepeat = keyof typeof GameRepeat;

/** Values of the filter `types`. */
export const GameType = enumeration('GameType', 'Type of play in a game.', {
  SINGLES: 'One against one.',
  DOUBLES: 'Two against two.',
  SKINNY: 'Singles on half of the court.',
  DRILLS: 'Practice of individual strokes.',
  ANY: 'Any type of play.',
});

/** Values of the filter `genders`. */
export const GameGender = enumeration('GameGender', 'Gender of the players in a game.', {
  MEN: 'Men.',
  WOMEN: 'Women.',
  ANY: 'Everybody.',
});

@value('Recommended skill of the players in a game.')
export class GameSkill {
  @num('Minimum rating, such as 3.5. Null or 0: no minimum.')
  from!: number | null;

  @num('Maximum rating, such as 4.5. Null or 0: no maximum.')
  to!: number | null;

  @flag('Whether the game is open to all skill levels.')
  isIgnored!: boolean;
}

@value('Recommended age of the players in a game.')
export class GameAge {
  @integerInNumber('Minimum age, in years.')
  from!: number | null;

  @integerInNumber('Maximum age, in years.')
  to!: number | null;

  @flagInNumber('Whether the game is open to all ages. Null if not stated.')
  isIgnored!: number | null;
}

@value('Recommended gender of the players in a game.')
export class GameGenders {
  @flag('Men.')
  men!: boolean;

  @flag('Women.')
  women!: boolean;

  @flag('Everybody.')
  any!: boolean;

  @flag('Whether the game is open to all genders.')
  isIgnored!: boolean;
}

@value('Types of play that a game offers.')
export class GameTypes {
  @flag('Any type of play.')
  any!: boolean;

  @flag('Singles.')
  singles!: boolean;

  @flag('Doubles.')
  doubles!: boolean;

  @flag('Skinny singles, on half of the court.')
  skinny!: boolean;

  @flag('Practice of individual strokes.')
  drills!: boolean;
}
