/**
 * Serves the legacy interface `/v1` with GraphQL operations. A record table maps a GraphQL type to its legacy format. A route table maps
 * paths to GraphQL operations. The service does not start if a field, variable or path parameter of a table does not match the schema.
 *
 * ```ts
 * // From compat/records/tournaments.ts: legacy names in the documented order. `paths` overrides GraphQL paths, `as` overrides formats.
 * export const venue = record('Venue', {
 *   type: 'Tournament',
 *   input: 'TournamentInput',
 *   fields: 'uuid Title LocationCity RegistrationCount date_created',
 *   paths: { LocationCity: 'location.city', date_created: 'createdAt' },
 *   as: { ...sameForFields('RegistrationCount date_created', readOnly) },
 * });
 *
 * // From compat/routes/tournaments.ts: required token, variables, GraphQL operation and response format.
 * export const venueRoutes = declareRoutes({
 *   'GET /v1/data/venues/{uuid}': {
 *     auth: platformOrUser,
 *     operation: 'query Venue($uuid: ID!) { tournament(id: $uuid) { ...Venue } }',
 *     reply: result(venue),
 *   },
 *   'GET /v1/data/venues': {
 *     auth: platformOrUser,
 *     args: { filter: { isFeatured: query.flag('is_featured') }, ...page() },
 *     operation: 'query Venues($filter: TournamentFilter) { tournaments(filter: $filter) { totalCount nodes { ...Venue } } }',
 *     reply: list(venue, { total: 'total_records' }),
 *   },
 *   'POST /v1/venues/upsert': {
 *     auth: platform,
 *     args: { input: payload(venue) },
 *     operation: 'mutation Upsert($input: TournamentInput!) { upsertTournament(input: $input) { ...Venue } }',
 *     reply: result(venue),
 *   },
 * });
 * ```
 *
 * `camel` derives GraphQL fields from legacy names: `player_one_uuid` → `playerOneId`, `TourneyFromDate` → `tourneyFromDate`, `uuid` →
 * `id`. The GraphQL type determines the format. Decision 3 (docs/decisions.md) defines unset values, defaults of missing fields, and
 * `fieldsToOmit`. The engine adds paging to lists. Lists without `page()` return all rows. Variables with the name of a path parameter need
 * no entry in `args`. Section numbers in comments refer to the interface document of the legacy service.
 */
export type { Codec, FieldShape, LegacyRecord, RecordTable } from './bind/binding.js';
export { type Codecs, codecsOf } from './bind/codec.js';
export { throwInvalidValue as expected, withParentName as named } from './bind/invalid-value-error.js';
export type { Data, JsonSchema } from './bind/json.js';
export { camel, camelExcept, record, sameForFields } from './bind/record.js';
export {
  asCommaText,
  asNumber,
  computed,
  constant,
  decimalString,
  enumNumber,
  enumText,
  listOf,
  nested,
  readOnly,
  unixSeconds,
  withNullAs,
  writeOnly,
} from './bind/shapes.js';
export {
  bareRecord as recordAlone,
  created,
  custom,
  empty,
  list,
  noContent,
  payloadOf,
  type Reply,
  recordUnder,
  result,
} from './reply/replies.js';
export { page } from './request/page.js';
export { body, payload } from './request/payload.js';
export {
  type ArgumentReaders,
  caller,
  computedFrom,
  firstPresent,
  ifEquals,
  required,
  value,
  withAliases,
} from './request/reader.js';
export { header, path, query } from './request/sources.js';
export {
  anyone,
  declareRoutes,
  entriesOf,
  platform,
  platformOrUser,
  type Route,
  type RouteEntry,
  type Routes,
  readsUserToken,
  user,
} from './route.js';
export { type LegacyOptions, legacyRouter } from './router.js';
