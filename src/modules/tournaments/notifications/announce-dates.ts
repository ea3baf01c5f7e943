import type { Follower } from '../../../kernel/declare/fields/options.js';
import { formatDays } from '../dates/formatted-days-sql.js';
import { notifyRegisteredPlayers } from './notify-registered-players.js';

/** Notifies the registered players when the dates of a tournament change (decision 27). The message contains the dates in its time zone. */
export const announceDates: Follower = {
  columns: ['startsAt', 'endsAt', 'timeZone'],
  async onChange(before, after, context) {
    const [oldDays, days] = await formatDays(context.sql, [before, after]);
    const hasNewTimes = before.startsAt !== after.startsAt || before.endsAt !== after.endsAt;
    // A new time zone is not announced if the local dates stay the same.
    if (!hasNewTimes && oldDays === days) return;
    await notifyRegisteredPlayers(
      context,
      String(after.id),
      'TOURNAMENT_DATES_CHANGED',
      `has new dates: ${days ?? 'to be announced'}.`,
    );
  },
};
