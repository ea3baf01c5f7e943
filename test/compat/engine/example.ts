import {
  declareRoutes,
  list,
  page,
  payload,
  platform,
  platformOrUser,
  query,
  readOnly,
  record,
  result,
  sameForFields,
} from '../../../compat/engine/index.js';

// From compat/records/tournaments.ts: legacy names in the documented order. `paths` overrides GraphQL paths, `as` overrides formats.
export const venue = record('Venue', {
  type: 'Tournament',
  input: 'TournamentInput',
  fields: 'uuid Title LocationCity RegistrationCount date_created',
  paths: { LocationCity: 'location.city', date_created: 'createdAt' },
  as: { ...sameForFields('RegistrationCount date_created', readOnly) },
});

// From compat/routes/tournaments.ts: required token, variables, GraphQL operation and response format.
export const venueRoutes = declareRoutes({
  'GET /v1/data/venues/{uuid}': {
    auth: platformOrUser,
    operation: 'query Venue($uuid: ID!) { tournament(id: $uuid) { ...Venue } }',
    reply: result(venue),
  },
  'GET /v1/data/venues': {
    auth: platformOrUser,
    args: { filter: { isFeatured: query.flag('is_featured') }, ...page() },
    operation: 'query Venues($filter: TournamentFilter) { tournaments(filter: $filter) { totalCount nodes { ...Venue } } }',
    reply: list(venue, { total: 'total_records' }),
  },
  'POST /v1/venues/upsert': {
    auth: platform,
    args: { input: payload(venue) },
    operation: 'mutation Upsert($input: TournamentInput!) { upsertTournament(input: $input) { ...Venue } }',
    reply: result(venue),
  },
});
