import { approvals } from './approvals.js';
import { games } from './games.js';
import { likes } from './likes.js';
import { hold } from './model.js';
import type { Setting } from './setting.js';
import { tokens } from './tokens.js';

/** How much is tried: runs of each model, and batches of up to four commands in one run. */
export interface Extent {
  readonly seed: number;
  readonly runs: number;
  readonly batches: number;
}

/** The models by their names; each tells how many commands were sent, and throws where the service does otherwise. */
export const models: Readonly<Record<string, (setting: Setting, extent: Extent) => Promise<number>>> = {
  [likes.name]: (setting, extent) => hold(setting, likes, extent),
  [games.name]: (setting, extent) => hold(setting, games, extent),
  [approvals.name]: (setting, extent) => hold(setting, approvals, extent),
  [tokens.name]: (setting, extent) => hold(setting, tokens, extent),
};
