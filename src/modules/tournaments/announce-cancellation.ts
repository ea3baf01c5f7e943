import type { Follower } from '../../kernel/declare/options.js';
import { tellRegistered } from './tell-registered.js';

/** Tells everybody who is registered for a tournament that it was called off. */
export const announceCancellation: Follower = {
  of: ['isCanceled'],
  async follow(_, { id, isCanceled }, context) {
    if (isCanceled) await tellRegistered(context, String(id), 'TOURNAMENT_CANCELED', 'was cancelled.');
  },
};
