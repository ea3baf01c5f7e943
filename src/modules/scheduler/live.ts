import { ofRow } from '../../kernel/changes/index.js';
import { fail } from '../../kernel/declare/errors.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { changeOfOne } from '../../kernel/serve/change-types.js';
import { liveRoot, sawRow, seesRow } from '../../kernel/serve/live.js';
import { Game } from './game.js';

const GameChange = changeOfOne(Game);

/** A game as it changes. */
export const liveGame = liveRoot<{ id: string }>({
  name: 'game',
  type: () => GameChange,
  description:
    'Changes of one game: its times and place, who plays, waits and is invited. NOT_FOUND where none has the id, and where the caller does not see it.',
  policies: [platform, user],
  ids: { id: 'Id of the game.' },
  topics: async ({ id }, { loaders }) => {
    if (!(await loaders.one(Game, ['id'], id))) fail('NOT_FOUND', `no game has the id ${id}`);
    return [ofRow('Game', id)];
  },
  // Whoever subscribed has seen it; what was done while it was hidden is not told, also when it is gone.
  concerns: async (change, _, context) =>
    (await seesRow(change, context)) ||
    ((change.kind === 'DELETED' || !change.refs.includes('isInviteOnly=true')) && sawRow(change, context)),
});
