import { approvals } from './approvals.js';
import { games } from './games.js';
import { likes } from './likes.js';
import { compareWithModel } from './model.js';
import type { Setting } from './setting.js';
import { tokens } from './tokens.js';

/**
 * Options of a comparison: the seed, the number of runs of each model, and the maximum number of batches per run. A batch has up to four
 * commands.
 */
export interface ComparisonOptions {
  readonly seed: number;
  readonly runs: number;
  readonly batches: number;
}

/**
 * Functions that compare the service with a model, keyed by model name. Each returns the number of commands sent, and throws if the service
 * deviates.
 */
export const models: Readonly<Record<string, (setting: Setting, options: ComparisonOptions) => Promise<number>>> = {
  [likes.name]: (setting, options) => compareWithModel(setting, likes, options),
  [games.name]: (setting, options) => compareWithModel(setting, games, options),
  [approvals.name]: (setting, options) => compareWithModel(setting, approvals, options),
  [tokens.name]: (setting, options) => compareWithModel(setting, tokens, options),
};
