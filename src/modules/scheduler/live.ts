import { rowTopic } from '../../kernel/changes/index.js';
import { fail } from '../../kernel/declare/errors.js';
import { platform, user } from '../../kernel/declare/policy/policy.js';
import { createRecordChangeType } from '../../kernel/serve/change-types.js';
import { canSeeRow, subscriptionField } from '../../kernel/serve/live-events.js';
import { Game } from './games/game.js';

const GameChange = createRecordChangeType(Game);

/** Subscription to the changes to a game. */
export const liveGame = subscriptionField<{ id: string }>({
  name: 'game',
  type: () => GameChange,
  description:
    'Changes to a game: its times, location, players, waiting list and invitations. NOT_FOUND if the game does not exist, or the caller cannot see it.',
  policies: [platform, user],
  ids: { id: 'ID of the game.' },
  topics: async ({ id }, { loaders }) => {
    if (!(await loaders.loadRow(Game, ['id'], id))) fail('NOT_FOUND', `no game with the id ${id}`);
    return [rowTopic('Game', id)];
  },
  // Subscribers could see the game when they subscribed, so they are notified of its deletion even if it has been hidden since then.
  canReceive: async (change, _, context) => change.kind === 'DELETED' || canSeeRow(change, context),
});
