import type { Follower } from '../../kernel/declare/options.js';
import { shownDays } from './shown-days-sql.js';
import { tellRegistered } from './tell-registered.js';

/** Tells everybody who is registered for a tournament that it has other dates (decision 27), the days being those of its time zone. */
export const announceDates: Follower = {
  of: ['startsAt', 'endsAt', 'timeZone'],
  async follow(before, after, context) {
    const [old, days] = await shownDays(context.sql, [before, after]);
    const isMoved = before.startsAt !== after.startsAt || before.endsAt !== after.endsAt;
    // Another name of the same zone, or one with the same midnights, moves nothing.
    if (!isMoved && old === days) return;
    await tellRegistered(context, String(after.id), 'TOURNAMENT_DATES_CHANGED', `has new dates: ${days ?? 'not known yet'}.`);
  },
};
