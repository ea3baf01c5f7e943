import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { ActionRule } from '../../../kernel/declare/fields/options.js';
import { instantOf } from '../../../kernel/declare/scalars/instant.js';
import { currentTimeFor } from '../../../kernel/response-sources.js';
import { ageRefusal, eligibilityRulesOf, genderRefusal } from './eligibility.js';
import { occupiedPlaces } from './occupied-places-sql.js';
import { registrationDates, registrationRefusal } from './registration-refusal.js';

/** Reads events with the data that determines whether a user can enter them. */
const readEvents = ({ sql }: Context, userId: string, ids: readonly string[]) =>
  sql.run(
    sql.db
      .selectFrom('tournament_event as e')
      .innerJoin('tournament as t', 't.id', 'e.tournament_id')
      .innerJoin('app_user as u', (join) => join.on('u.id', '=', userId))
      .select(registrationDates)
      .select(['e.id', 'e.is_canceled as isEventCanceled', 'e.starts_at as eventStartsAt', 'e.max_teams as maxTeams'])
      .select(['e.player_group_id as playerGroupId', 'e.format_id as formatId', 't.time_zone as timeZone'])
      .select(['u.gender', 'u.date_of_birth as dateOfBirth'])
      .select((e) => {
        const teams = e.selectFrom('team as m').whereRef('m.event_id', '=', 'e.id');
        const entries = e.selectFrom('event_registration as r').select('r.id').whereRef('r.event_id', '=', 'e.id');
        const hasTeamAs = (m: 'm.player_one_id' | 'm.player_two_id') => e.exists(teams.select('m.id').where(m, '=', userId));
        return [
          occupiedPlaces(raw.ref('e.id')).as('occupiedPlaces'),
          e
            .or([e.exists(entries.where('r.user_id', '=', userId)), hasTeamAs('m.player_one_id'), hasTeamAs('m.player_two_id')])
            .as('isEntered'),
        ];
      })
      .where(raw<SqlBool>`e.id = any(${ids})`),
  );

type EventRow = Awaited<ReturnType<typeof readEvents>>[number];

/** Whether `registerTeam` would accept the user, regardless of the partner. */
function isOpenTo(event: EventRow, now: string): boolean {
  if (registrationRefusal({ isCanceled: event.isEventCanceled }, event, now) || event.isEntered) return false;
  if (event.maxTeams !== null && event.maxTeams > 0 && Number(event.occupiedPlaces) >= event.maxTeams) return false;
  const audience = eligibilityRulesOf(event);
  const start = { instant: event.eventStartsAt ?? event.startsAt ?? now, timeZone: event.timeZone };
  return !(genderRefusal(audience, [event.gender]) ?? ageRefusal(audience, event, start));
}

/** Returns the IDs of the events that a user may enter. */
async function readOpenIds(context: Context, userId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const now = instantOf(currentTimeFor(context.sql));
  const events = await readEvents(context, userId, ids);
  return new Set(events.filter((event) => isOpenTo(event, now)).map(({ id }) => id));
}

/** Whether the signed-in user may enter an event. */
export const canRegister: ActionRule = {
  columns: ['id'],
  isAllowed({ id }, context) {
    const { caller, loaders } = context;
    const { user } = caller;
    if (!user) return false;
    return loaders.batchLoader('events open to the viewer', async (ids) => {
      const openIds = await readOpenIds(context, user.id, ids);
      return ids.map((eventId) => openIds.has(eventId));
    })(String(id));
  },
};

/** Whether the signed-in user may register for at least one event of a tournament. */
export const canRegisterForAny: ActionRule = {
  columns: ['id'],
  isAllowed({ id }, context) {
    const { caller, loaders, sql } = context;
    const { user } = caller;
    if (!user) return false;
    return loaders.batchLoader('tournaments open to the viewer', async (ids) => {
      const events = await sql.run(
        sql.db
          .selectFrom('tournament_event')
          .select(['id', 'tournament_id as tournamentId'])
          .where(raw<SqlBool>`tournament_id = any(${ids})`),
      );
      const openIds = await readOpenIds(
        context,
        user.id,
        events.map((event) => event.id),
      );
      const tournaments = new Set(events.filter((event) => openIds.has(event.id)).map(({ tournamentId }) => tournamentId));
      return ids.map((tournament) => tournaments.has(tournament));
    })(String(id));
  },
};
