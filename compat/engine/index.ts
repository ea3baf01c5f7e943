/**
 * The legacy interface as data over the graph. A record table says how an object of the graph looks under /v1, a route table which operation
 * answers which path. Both are checked when the service starts: a field, a variable or a path parameter that doesn't fit stops it with its name.
 *
 * ```ts
 * // compat/records/tournaments.ts: the document's names in its order; what the graph calls otherwise under `paths`, what looks otherwise under `as`.
 * export const venue = record('Venue', {
 *   type: 'Tournament',
 *   input: 'TournamentInput',
 *   fields: 'uuid Title LocationCity RegistrationCount date_created',
 *   paths: { LocationCity: 'location.city', date_created: 'createdAt' },
 *   as: { ...each('RegistrationCount date_created', readOnly) },
 * });
 *
 * // compat/routes/tournaments.ts: who may, what the variables are, the operation, the envelope.
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
 * Keys become graph fields by rule: `player_one_uuid` → `playerOneId`, `TourneyFromDate` → `tourneyFromDate`, `uuid` → `id`. Text, number, bool,
 * timestamp, array and enumeration follow from the graph's type; unset values, defaults of absent fields and fieldsToOmit from decision 3. A list
 * gets its paging from the engine, and without `page()` it returns everything. Variables named like a path parameter need no entry in `args`.
 */
export type { Codec, LegacyRecord, RecordTable } from './bind/binding.js';
export { type Codecs, codecsOf, schemaName } from './bind/codec.js';
export type { Data, JsonSchema } from './bind/json.js';
export { camel, camelExcept } from './bind/keys.js';
export { expected, named } from './bind/mismatch.js';
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
  listOf,
  nested,
  nullable,
  onlySent,
  reading,
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
