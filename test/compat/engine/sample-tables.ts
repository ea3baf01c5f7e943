import {
  anyone,
  asCommaText,
  asNumber,
  body,
  caller,
  camelExcept,
  computed,
  computedFrom,
  constant,
  created,
  custom,
  decimalString,
  declareRoutes,
  empty,
  enumNumber,
  firstPresent,
  header,
  list,
  listOf,
  nested,
  noContent,
  page,
  path,
  payload,
  payloadOf,
  platform,
  platformOrUser,
  query,
  readOnly,
  record,
  recordAlone,
  recordUnder,
  required,
  result,
  sameForFields,
  unixSeconds,
  user,
  value,
  withNullAs,
  writeOnly,
} from '../../../compat/engine/index.js';

export const approval = record('Approval', {
  type: 'Approval',
  input: 'ApprovalInput',
  fields: 'id approvedStatus',
  paths: { id: 'bodyId', approvedStatus: 'status' },
});

export const place = record('Place', { type: 'Location', fields: 'City Latitude', as: { Latitude: decimalString } });

/** A flat record with PascalCase keys for a nested GraphQL type, as in section 2.1. */
export const tournament = record('FlatTournament', {
  type: 'Tournament',
  input: 'TournamentInput',
  keys: camelExcept({
    tourneyFromDate: 'startsAt',
    costRegistrationCurrent: 'fee',
    dateCreated: 'createdAt',
    governingBodies: 'approvals',
  }),
  fields: `TournamentID Title LocationCity Latitude Longitude TourneyFromDate IsFeatured RegistrationCount Rating CostRegistrationCurrent Level
    Tags GoverningBodies SanctionPPA SanctionAPP SantionLevelsPPATitle Settings club_id dateCreated`,
  paths: {
    TournamentID: 'id',
    LocationCity: 'location.city',
    Latitude: 'location.latitude',
    Longitude: 'location.longitude',
    SanctionPPA: 'sanctions[body=PPA].isSanctioned',
    SanctionAPP: 'sanctions[body=APP].isSanctioned',
    SantionLevelsPPATitle: 'sanctions[body=PPA].levelTitle',
  },
  as: { GoverningBodies: listOf(approval), ...sameForFields('dateCreated', readOnly) },
});

/** A record for the same GraphQL type. Its table uses the other shapes that a table can declare. */
export const shaped = record('ShapedTournament', {
  type: 'Tournament',
  input: 'TournamentInput',
  keys: camelExcept({ createdAt: 'createdAt' }),
  fields: 'uuid count level tags club rating starts_at title_upper kind featured_alt place password code title',
  paths: {
    count: 'registrationCount',
    club: 'clubId',
    starts_at: 'startsAt',
    featured_alt: 'isFeatured',
    place: 'location',
  },
  as: {
    count: decimalString,
    level: enumNumber({ LOCAL: 1, NATIONAL: 2 }),
    tags: asCommaText,
    club: asNumber,
    starts_at: unixSeconds,
    rating: withNullAs(null),
    title_upper: computed('title', ({ title }: { title: string | null }) => title?.toUpperCase(), { type: 'string' }),
    kind: constant('tournament'),
    featured_alt: readOnly,
    place: [nested(place), readOnly],
    password: writeOnly,
    code: [withNullAs('none'), readOnly],
  },
});

export const signUp = record('SignUp', { input: 'SignUpInput', fields: 'email is_adult phone' });

export const sampleRecords = [approval, place, tournament, shaped, signUp];

const pagedTournaments =
  'query Tournaments($filter: TournamentFilter) { tournaments(filter: $filter) { totalCount nodes { ...FlatTournament } } }';

export const sampleRoutes = declareRoutes({
  'GET /v1/data/tournaments/{uuid}': {
    auth: platformOrUser,
    operation: 'query Tournament($uuid: ID!) { tournament(id: $uuid) { ...FlatTournament } }',
    reply: result(tournament),
  },
  'GET /v1/data/tournaments': [
    {
      auth: platformOrUser,
      when: query('tournament_uuid'),
      args: { id: query('tournament_uuid') },
      operation: 'query Tournament($id: ID!) { tournament(id: $id) { ...FlatTournament } }',
      reply: result(tournament),
      onNull: 'next',
    },
    {
      auth: platformOrUser,
      args: {
        filter: {
          clubIds: query.list('club_id'),
          isFeatured: query.flag('is_featured'),
          startsAfter: query.unix('start_date'),
          near: computedFrom(
            (latitude, longitude) => (latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }),
            query.num('latitude', { min: -90, max: 90 }),
            query.num('longitude', { min: -180, max: 180 }),
          ),
        },
        ...page(),
      },
      operation: pagedTournaments,
      reply: list(tournament, { total: 'totalRecords' }),
    },
  ],
  'GET /v1/data/all_tournaments': {
    auth: platform,
    operation: pagedTournaments,
    reply: list(tournament, { total: 'total_records', items: 'result', isTotalNumber: true }),
  },
  'GET /v1/data/some_tournaments': {
    auth: platform,
    args: { ...page({ default: 'all' }) },
    operation: pagedTournaments,
    reply: list(tournament, {
      total: 'total_records',
      extraKeys: () => ({ reactions: {} }),
      extraSchemas: { reactions: { type: 'object' } },
    }),
  },
  'GET /v1/data/places': {
    auth: platformOrUser,
    operation: '{ locations { ...Place } }',
    reply: list(place, { total: null, items: 'places' }),
  },
  'POST /v1/tournaments/upsert': {
    auth: platform,
    args: { input: payload(tournament) },
    operation: 'mutation Upsert($input: TournamentInput!) { upsertTournament(input: $input) { ...FlatTournament } }',
    reply: result(tournament),
  },
  'PUT /v1/tournaments/{uuid}': {
    auth: platform,
    args: { id: path('uuid'), input: payload(tournament, { set: { TournamentID: path('uuid') } }) },
    operation:
      'mutation Update($id: ID!, $input: TournamentInput!) { updateTournament(id: $id, input: $input) { ...FlatTournament } }',
    reply: payloadOf(tournament),
  },
  'PATCH /v1/tournaments/{uuid}': {
    auth: user,
    args: { input: payload(tournament, { patch: true }) },
    operation:
      'mutation Update($uuid: ID!, $input: TournamentInput!) { updateTournament(id: $uuid, input: $input) { ...FlatTournament } }',
    reply: recordAlone(tournament),
  },
  'DELETE /v1/tournaments/{uuid}': {
    auth: platform,
    operation: 'mutation Delete($uuid: ID!) { deleteTournament(id: $uuid) { id } }',
    reply: empty,
  },
  'DELETE /v1/tournaments': {
    auth: platform,
    args: { club: required(firstPresent(query('club_id'), payload.text('clubId'))) },
    operation: 'mutation Delete($club: ID!) { deleteTournaments(clubId: $club) }',
    reply: noContent,
  },
  'POST /v1/shaped': {
    auth: anyone,
    args: { input: body(shaped) },
    operation: 'mutation Upsert($input: TournamentInput!) { upsertTournament(input: $input) { ...ShapedTournament } }',
    reply: created(recordUnder('shaped', shaped)),
  },
  'POST /v1/sign_up': {
    auth: anyone,
    args: { input: payload(signUp) },
    operation: 'mutation SignUp($input: SignUpInput!) { signUp(input: $input) }',
    reply: custom<boolean>((mailSent) => ({ body: { response: { mailSent } } })),
  },
  'GET|POST /v1/users/{uuid}/seen': {
    auth: platformOrUser,
    ownUserParam: 'uuid',
    args: {
      id: firstPresent(
        header('Browser'),
        caller(({ user }) => user?.id),
        value('nobody'),
      ),
    },
    operation: 'query Seen($id: ID!) { seen(id: $id) }',
    reply: custom<string>((id) => ({ body: { id } })),
  },
  'GET /v1/optional/{uuid}': {
    auth: anyone,
    operation: 'query Tournament($uuid: ID!) { tournament(id: $uuid) { id } }',
    reply: custom<{ id: string } | null>((tournament) => (tournament ? { body: { valid: true } } : { status: 204 }), {
      handlesNull: true,
    }),
  },
  'GET /v1/broken': { auth: anyone, operation: '{ broken { id } }', reply: empty },
  'GET /v1/busy': { auth: anyone, operation: '{ busy { id } }', reply: empty },
  'GET /v1/secrets': { auth: user, operation: '{ secrets { id } }', reply: empty },
  'POST /sso_platform/token': {
    auth: platform,
    operation: '{ levels }',
    reply: custom<string[]>((levels) => ({ body: levels })),
  },
});
