/**
 * The legacy interface as tables on top of GraphQL. A record table maps a GraphQL type to its legacy format. A route table maps paths to GraphQL
 * operations. Both are checked at startup: the service does not start if a field, variable or path parameter does not match the schema.
 *
 * ```ts
 * // compat/records/tournaments.ts: legacy names in order. `paths` has GraphQL paths that differ, `as` has formats that differ.
 * export const venue = record('Venue', {
 *   type: 'Tournament',
 *   input: 'TournamentInput',
 *   fields: 'uuid Title LocationCity RegistrationCount date_created',
 *   paths: { LocationCity: 'location.city', date_created: 'createdAt' },
 *   as: { ...each('RegistrationCount date_created', readOnly) },
 * });
 *
 * // compat/routes/tournaments.ts: permitted callers, variables, GraphQL operation and response format.
 * export const venueRoutes = routes({
 *   'GET /v1/data/venues/{uuid}': {
 *     auth: either,
 *     run: 'query Venue($uuid: ID!) { tournament(id: $uuid) { ...Venue } }',
 *     reply: result(venue),
 *   },
 *   'GET /v1/data/venues': {
 *     auth: either,
 *     args: { filter: { isFeatured: query.flag('is_featured') }, ...page() },
 *     run: 'query Venues($filter: TournamentFilter) { tournaments(filter: $filter) { totalCount nodes { ...Venue } } }',
 *     reply: list(venue, { total: 'total_records' }),
 *   },
 *   'POST /v1/venues/upsert': {
 *     auth: platform,
 *     args: { input: payload(venue) },
 *     run: 'mutation Upsert($input: TournamentInput!) { upsertTournament(input: $input) { ...Venue } }',
 *     reply: result(venue),
 *   },
 * });
 * ```
 *
 * GraphQL fields follow from keys by rule: `player_one_uuid` → `playerOneId`, `TourneyFromDate` → `tourneyFromDate`, `uuid` → `id`. Formats follow
 * from the GraphQL type. Decision 3 defines unset values, defaults of missing fields, and fieldsToOmit. The engine adds paging to lists. Lists
 * without `page()` return all rows. Variables with the name of a path parameter need no entry in `args`.
 */
export type { Codec, LegacyRecord, RecordTable } from './bind/binding.js';
export { type Codecs, codecsOf, schemaName } from './bind/codec.js';
export type { Data, JsonSchema } from './bind/json.js';
export { camel, camelExcept } from './bind/keys.js';
export { throwExpected as expected, withParentName as named } from './bind/mismatch.js';
export { each, record } from './bind/record.js';
export {
  asCommaText,
  asNumber,
  computed,
  constant,
  converted,
  decimalString,
  enumNumber,
  enumText,
  inRequests,
  inResponses,
  listOf,
  nested,
  nullable,
  readOnly,
  unixSeconds,
  unsetAs,
  writeOnly,
} from './bind/shapes.js';
export { bare, created, custom, empty, list, noContent, payloadOf, type Reply, result, under } from './reply/replies.js';
export { page } from './request/page.js';
export { body, payload } from './request/payload.js';
export {
  type Args,
  aliased,
  caller,
  combined,
  firstOf,
  required,
  value,
  whenIs,
} from './request/reader.js';
export { header, path, query } from './request/sources.js';
export {
  anyone,
  type Entry,
  either,
  entriesOf,
  platform,
  type Route,
  type Routes,
  readsUserToken,
  routes,
  user,
} from './route.js';
export { type LegacyOptions, legacyRouter } from './router.js';
