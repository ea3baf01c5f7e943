import {
  type ArgumentReaders,
  computedFrom,
  declareRoutes,
  expected,
  list,
  named,
  page,
  payload,
  platformOrUser,
  query,
  required,
  result,
} from '../engine/index.js';
import { attendeeEvent, attendeeHeader, eventFinalStanding, tournament, tournamentRequest } from '../records/tournaments.js';
import { deleteRoute, upsertRoute } from './record-routes.js';

const requiredWithDistance = (name: string, value: number | undefined): number =>
  value ?? named(name, () => expected('a number beside distance'));

/** Filter by distance, which requires a location. A location without a distance is ignored (decision 19). */
const nearFilter = computedFrom(
  (distance, latitude, longitude, unit) =>
    distance === undefined
      ? undefined
      : {
          distance,
          unit,
          latitude: requiredWithDistance('latitude', latitude),
          longitude: requiredWithDistance('longitude', longitude),
        },
  query.int('distance', { min: 0, max: 100_000 }),
  query.num('latitude', { min: -90, max: 90 }),
  query.num('longitude', { min: -180, max: 180 }),
  query.oneOf('unit_of_distance', { km: 'KILOMETERS', mi: 'MILES' }),
);

const uuid = query('tournament_uuid');
const code = query('tournament_code');
const filter: ArgumentReaders = {
  id: { eq: uuid },
  code: { eq: code },
  playedAt: { gte: query.unix('start_date'), lte: query.unix('end_date') },
  title: { contains: query('search_name') },
  near: nearFilter,
  isFeatured: query.flag('is_featured'),
  hasPrizeMoney: query.flag('is_prize_money'),
  isPast: query.flag('past_events'),
  isUpcoming: query.flag('upcomming_events'),
  isPlaying: query.flag('now_playing'),
  isRegistering: query.flag('now_registering'),
  clubId: { in: query.list('club_id') },
  sanctionedBy: {
    hasAny: query.flags({
      sanction_app: 'APP',
      sanction_gpa: 'GPA',
      sanction_mlp: 'MLP',
      sanction_paa: 'PAA',
      sanction_pco: 'PCO',
      sanction_ppa: 'PPA',
      sanction_ssipa: 'SSIPA',
      sanction_usapa: 'USAP',
      sanction_wpf: 'WPF',
    }),
  },
};

/** Routes for tournaments, registrations and final standings (sections 4.1 and 4.13). */
export const tournamentRoutes = declareRoutes({
  'DELETE /v1/tournaments/tourney_flat_data/{uuid}': deleteRoute('Tournament', 'Delete a tournament.', { auth: platformOrUser }),
  'GET /v1/data/tourney_flat_data': [
    {
      auth: platformOrUser,
      when: uuid,
      args: { id: uuid },
      operation: 'query ($id: ID!) { tournament(id: $id) { ...TournamentFlat } }',
      reply: result(tournament),
      onNull: 'next',
      summary: 'Get a tournament by its UUID.',
    },
    {
      auth: platformOrUser,
      when: computedFrom((id, code) => (id === undefined ? code : undefined), uuid, code),
      args: { code },
      operation: 'query ($code: String!) { tournamentByCode(code: $code) { ...TournamentFlat } }',
      reply: result(tournament),
      onNull: 'next',
      summary: 'Get a tournament by its code.',
    },
    {
      auth: platformOrUser,
      args: { filter, ...page() },
      operation: `query ($filter: TournamentFilter) {
        tournaments(filter: $filter, orderBy: [{ field: STARTS_AT }]) { totalCount nodes { ...TournamentFlat } }
      }`,
      reply: list(tournament, { total: 'totalRecords' }),
      summary: 'List tournaments, ordered by start date.',
    },
  ],
  'POST /v1/tournaments/tourney_flat_data': upsertRoute(tournamentRequest, 'Create or update a tournament.'),
  'POST /v1/tournament_attendee_event_headers/upsert': upsertRoute(
    attendeeHeader,
    "Create or update a player's registration for a tournament.",
    { auth: platformOrUser },
  ),
  'POST /v1/tournament_attendee_event_records/upsert': upsertRoute(
    attendeeEvent,
    "Create or update a player's registration for an event.",
    { auth: platformOrUser },
  ),
  'POST /v1/tournament_event_final_standings/upsert': upsertRoute(
    eventFinalStanding,
    'Create or update the final ranking of a team in an event.',
    {
      auth: platformOrUser,
      args: {
        input: payload(eventFinalStanding, {
          set: { event_uuid: required(payload.text('event_uuid')), team_uuid: required(payload.text('team_uuid')) },
        }),
      },
    },
  ),
});
