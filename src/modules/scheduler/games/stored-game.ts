import type { Values } from '../../../kernel/declare/fields/options.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { toStoredValues } from '../../../kernel/write/input-values.js';
import { Game } from './game.js';

/** Converts the input of a game to stored values. A new `day` clears the local day that was sent before. */
export function storedGame(input: Values): Values {
  const values = toStoredValues(metaOf(Game), input);
  return input.day === undefined || values.localDayRaw !== undefined ? values : { ...values, localDayRaw: null };
}

/** Moves the time zone to `legacy`, so that the write does not check it. `checkGame` checked it, or `/v1` sent it. */
export const withAnyZone = ({ timeZone, ...values }: Values): Values =>
  timeZone === undefined ? values : { ...values, legacy: { timeZone } };
