import type { Values } from '../../../kernel/declare/fields/options.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { toStoredValues } from '../../../kernel/write/input-values.js';
import { Game } from './game.js';

/** Converts the input of a game to stored values. A new `day` clears the stored local day. */
export function toStoredGame(input: Values): Values {
  const values = toStoredValues(metaOf(Game), input);
  return input.day === undefined || values.localDayRaw !== undefined ? values : { ...values, localDayRaw: null };
}

/**
 * Moves the time zone to the group `legacy`, whose values are not validated. Either `checkGame` has already validated the time zone, or
 * `/v1` sent it.
 */
export const withUncheckedZone = ({ timeZone, ...values }: Values): Values =>
  timeZone === undefined ? values : { ...values, legacy: { timeZone } };
