import { approvals } from './approvals.js';
import { games } from './games.js';
import { likes } from './likes.js';
import { hold } from './model.js';
import type { Setting } from './setting.js';
import { tokens } from './tokens.js';

/** Size of a comparison: the number of runs of each model, and the maximum number of batches in a run. A batch has up to four commands. */
export interface Extent {
  readonly seed: number;
  readonly runs: number;
  readonly batches: number;
}

/**
 * Functions that compare the service with a model, keyed by model name. Each returns the number of commands sent, and throws if the service
 * deviates.
 */
export const models: Readonly<Record<string, (setting: Setting, extent: Extent) => Promise<number>>> = {
  [likes.name]: (setting, extent) => hold(setting, likes, extent),
  [games.name]: (setting, extent) => hold(setting, games, extent),
  [approvals.name]: (setting, extent) => hold(setting, approvals, extent),
  [tokens.name]: (setting, extent) => hold(setting, tokens, extent),
};
