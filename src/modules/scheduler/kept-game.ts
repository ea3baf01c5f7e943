import { metaOf } from '../../kernel/declare/meta.js';
import type { Values } from '../../kernel/declare/options.js';
import { asKept } from '../../kernel/write/input-values.js';
import { Game } from './game.js';

/** What is given of a game as it is kept. A day that is given takes the place of what was sent of the day before. */
export function keptGame(given: Values): Values {
  const input = asKept(metaOf(Game), given);
  return given.day === undefined || input.localDayRaw !== undefined ? input : { ...input, localDayRaw: null };
}
