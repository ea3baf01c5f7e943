import type { Follower } from '../../kernel/record.js';
import { tellRegistered } from './tell-registered.js';

/** Tells everybody who is registered for a tournament that it has other dates (decision 27). */
export const announceDates: Follower = {
  of: ['startsAt', 'endsAt'],
  async follow(_, { id, startsAt, endsAt }, context) {
    const days = [startsAt, endsAt].filter((day) => typeof day === 'string').map((day) => day.slice(0, 10));
    const dates = [...new Set(days)].join(' to ') || 'not known yet';
    await tellRegistered(context, id, 'TOURNAMENT_DATES_CHANGED', `has new dates: ${dates}.`);
  },
};
