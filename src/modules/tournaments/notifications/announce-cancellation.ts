import type { Follower } from '../../../kernel/declare/fields/options.js';
import { notifyRegisteredPlayers } from './notify-registered-players.js';

/** Notifies the registered players when a tournament is canceled. */
export const announceCancellation: Follower = {
  columns: ['isCanceled'],
  async onChange(_, { id, isCanceled }, context) {
    if (isCanceled) await notifyRegisteredPlayers(context, String(id), 'TOURNAMENT_CANCELED', 'was canceled.');
  },
};
