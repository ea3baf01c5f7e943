import { camel } from '../../../compat/engine/bind/record.js';
import { legacyRecords } from '../../../compat/index.js';
import { columnsOf, type FieldMeta, findRecord, metaOf } from '../../kernel/declare/meta.js';
import { modules } from '../../modules/index.js';

/** Kind of a personal or secret value. It determines the format of its pseudonym. */
export type SensitiveKind =
  | 'platform'
  | 'user'
  | 'key'
  | 'secret'
  | 'email'
  | 'phone'
  | 'name'
  | 'day'
  | 'network'
  | 'picture'
  | 'text';

/** Patterns of sensitive names, in camel case. The first match applies. */
const patterns: readonly (readonly [RegExp, SensitiveKind])[] = [
  [/token$/i, 'user'],
  [/password|passwd|secret|signature$|verifySign$|apiKey$|^randomString$|^otp$|^pin$|promoCode$|appCode$/i, 'secret'],
  [/cookie|credential|authorization/i, 'secret'],
  [/e-?mail/i, 'email'],
  [/(?:^|[a-z])(?:phone|mobile)(?:number)?$|^phone|DisplayPhone$/i, 'phone'],
  [
    /(?:first|last|full|middle|given|family|maiden|display|att)name(?:[A-Z][A-Za-z]*)?$|nameSuffix$|userSuffix$|^ownerName/i,
    'name',
  ],
  [/^(?:dob|birth.*|dateOfBirth)$/i, 'day'],
  [/^ip(?:address)?$|clientIp$|^xForwardedFor$|^xRealIp$|^forwarded$/i, 'network'],
  [/profileImage$/i, 'picture'],
  [/(?:street|mailing|home)?address\d*$|streetAddress|postal|zip(?:code)?$|Zip$|machineName$/i, 'text'],
  [/(?:note|memo|messageText|bioText|playerSlug|payableTo|checkCity)$/i, 'text'],
];

/** Names that are sensitive on one route only. */
const namesByRoute: Readonly<Record<string, Readonly<Record<string, SensitiveKind>>>> = {
  'POST /v1/pub/contactus': { name: 'name', details: 'text' },
  'POST /v1/pub/forgot_password': { url: 'secret' },
  'POST /v1/leagues/send-email': { title: 'text', body: 'text' },
  'GET /v1/sso/validate_url/{token}': { token: 'secret' },
  'POST /sso_platform/validate_olttoken': { token: 'secret' },
  'POST /v1/pb_discount_codes/upsert': { code: 'secret' },
  'GET /v1/users/{uuid}': { slug: 'text' },
  'POST /v1/users/upsert': { slug: 'text' },
};

const isSensitive = (field: FieldMeta | undefined) =>
  field !== undefined && (field.private === true || field.personal === true || field.mentionsPeople === true);

/** Returns the names of `/v1` fields that represent a private or personal GraphQL field. */
function namesInRecords(): Set<string> {
  // Reads `modules`, because importing it loads all record classes.
  if (modules.length === 0) return new Set();
  return new Set(
    legacyRecords.flatMap(({ fields, keys, paths = {}, type, input }) => {
      const record = findRecord(type ?? input?.replace(/Input$/, '') ?? '');
      if (!record) return [];
      const columns = columnsOf(metaOf(record));
      const pathsOf = (name: string) => {
        const path = paths[name] ?? keys(name);
        return typeof path === 'string' ? [path] : [path.read, path.write];
      };
      return fields
        .filter((name) => pathsOf(name).some((path) => isSensitive(columns.get(path)?.field)))
        .map((name) => camel(name));
    }),
  );
}

let recordNames: ReadonlySet<string> | undefined;

/** Returns the kind of a sensitive value, from its name and route. Null if the value is public. */
export function sensitivityOf(name: string, route: string | null): SensitiveKind | null {
  recordNames ??= namesInRecords();
  const camelName = camel(name);
  const kindOnRoute = route === null ? undefined : namesByRoute[route]?.[camelName];
  if (kindOnRoute) return kindOnRoute;
  const [, kind] = patterns.find(([pattern]) => pattern.test(camelName)) ?? [];
  return kind ?? (recordNames.has(camelName) ? 'text' : null);
}

/**
 * Returns the kind of a sensitive query parameter. `code` and `key` are secrets in queries only. In bodies, they are error codes and lookup
 * keys.
 */
export const querySensitivity = (name: string, route: string | null): SensitiveKind | null =>
  sensitivityOf(name, route) ?? (/^(?:code|key|sig)$/i.test(name) ? 'secret' : null);

/** Returns the kind of a sensitive header. Null if the header is public. */
export function headerSensitivity(name: string): SensitiveKind | null {
  const lowerCaseName = name.toLowerCase();
  if (lowerCaseName === 'pb-api-token') return 'platform';
  if (lowerCaseName === 'pb-user-token' || lowerCaseName === 'authorization') return 'user';
  // An idempotency key is not sensitive, and a replay needs its original value.
  if (lowerCaseName === 'idempotency-key') return null;
  return sensitivityOf(lowerCaseName, null) ?? (/secret|token|auth|cookie|(?:^|-)key$/.test(lowerCaseName) ? 'secret' : null);
}
