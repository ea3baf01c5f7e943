export { type Codec, type Codecs, codecsOf, type Reading, schemaName } from './codec.js';
export { type Data, isObject, type JsonSchema } from './json.js';
export { camel, camelExcept, type Keys } from './keys.js';
export { expected } from './mismatch.js';
export { page } from './page.js';
export { body, payload } from './payload.js';
export {
  type Args,
  caller,
  combined,
  firstOf,
  type LegacyRequest,
  type Paging,
  type Parameter,
  parametersOf,
  type Reader,
  required,
  value,
} from './reader.js';
export { each, type LegacyRecord, type Path, type Rule, record } from './record.js';
export { type Answer, bare, created, custom, empty, list, noContent, payloadOf, type Reply, result, under } from './replies.js';
export { type Auth, anyone, type Entry, either, entriesOf, platform, type Route, type Routes, routes, user } from './route.js';
export { type LegacyOptions, legacyRouter } from './router.js';
export {
  asNumber,
  commaSeparated,
  computed,
  constant,
  converted,
  decimalString,
  enumNumber,
  enumText,
  listOf,
  nested,
  nullable,
  reading,
  readOnly,
  type Shape,
  unixSeconds,
  unset,
  writeOnly,
  writing,
} from './shapes.js';
export { header, path, query, type Range } from './sources.js';
