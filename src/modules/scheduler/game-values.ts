import { registerEnumType } from 'type-graphql';
import { flag, num } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';
import { flagInNumber, wholeNumber } from '../../kernel/declare/shown-fields.js';

/** How often a game is played again (decision 32). */
export const GameRepeat = { DAILY: 'DAILY', WEEKLY: 'WEEKLY', MONTHLY: 'MONTHLY' } as const;
export type GameRepeat = keyof typeof GameRepeat;
registerEnumType(GameRepeat, {
  name: 'GameRepeat',
  description: 'How often a game is played again.',
  valuesConfig: {
    DAILY: { description: 'Every day.' },
    WEEKLY: { description: 'Every week.' },
    MONTHLY: { description: 'Every month.' },
  },
});

/** What is played, as one looks for it. */
export const GameType = { SINGLES: 'SINGLES', DOUBLES: 'DOUBLES', SKINNY: 'SKINNY', DRILLS: 'DRILLS', ANY: 'ANY' } as const;
registerEnumType(GameType, {
  name: 'GameType',
  description: 'What is played in a game.',
  valuesConfig: {
    SINGLES: { description: 'One against one.' },
    DOUBLES: { description: 'Two against two.' },
    SKINNY: { description: 'Singles on half of the court.' },
    DRILLS: { description: 'Practice of single strokes.' },
    ANY: { description: 'Whatever the players like.' },
  },
});

/** Who plays, as one looks for it. */
export const GameGender = { MEN: 'MEN', WOMEN: 'WOMEN', ANY: 'ANY' } as const;
registerEnumType(GameGender, {
  name: 'GameGender',
  description: 'Who plays in a game.',
  valuesConfig: {
    MEN: { description: 'Men.' },
    WOMEN: { description: 'Women.' },
    ANY: { description: 'Everybody.' },
  },
});

@value('How well the players of a game should play.')
export class GameSkill {
  @num('Lowest rating, such as 3.5; unset or 0 where there is none.')
  from!: number | null;

  @num('Highest rating, such as 4.5; unset or 0 where there is none.')
  to!: number | null;

  @flag('Skill does not matter.')
  isIgnored!: boolean;
}

@value('How old the players of a game should be.')
export class GameAge {
  @wholeNumber('Lowest age, in years.')
  from!: number | null;

  @wholeNumber('Highest age, in years.')
  to!: number | null;

  @flagInNumber('Age does not matter. Null if it is not stated.')
  isIgnored!: number | null;
}

@value('Who plays in a game.')
export class GameGenders {
  @flag('Men.')
  men!: boolean;

  @flag('Women.')
  women!: boolean;

  @flag('Everybody.')
  any!: boolean;

  @flag('Gender does not matter.')
  isIgnored!: boolean;
}

@value('What is played in a game.')
export class GameTypes {
  @flag('Whatever the players like.')
  any!: boolean;

  @flag('Singles.')
  singles!: boolean;

  @flag('Doubles.')
  doubles!: boolean;

  @flag('Skinny singles, on half of the court.')
  skinny!: boolean;

  @flag('Practice of single strokes.')
  drills!: boolean;
}
