import { camel } from '../../../compat/engine/bind/keys.js';
import { legacyRecords } from '../../../compat/index.js';
import { columnsOf, type FieldMeta, findRecord, metaOf } from '../../kernel/declare/meta.js';
import { modules } from '../../modules/index.js';

/** What a value is that must not be written down, by which its pseudonym is made. */
export type Sensitive =
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

/** Names of values in the spelling of the graph, whatever their case on the wire; the first that fits says what it is. */
const patterns: readonly (readonly [RegExp, Sensitive])[] = [
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

/** Names that say so on one route only: elsewhere they are everybody's. */
const onRoutes: Readonly<Record<string, Readonly<Record<string, Sensitive>>>> = {
  'POST /v1/pub/contactus': { name: 'name', details: 'text' },
  'POST /v1/pub/forgot_password': { url: 'secret' },
  'POST /v1/leagues/send-email': { title: 'text', body: 'text' },
  'GET /v1/sso/validate_url/{token}': { token: 'secret' },
  'POST /sso_platform/validate_olttoken': { token: 'secret' },
  'POST /v1/pb_discount_codes/upsert': { code: 'secret' },
  'GET /v1/users/{uuid}': { slug: 'text' },
  'POST /v1/users/upsert': { slug: 'text' },
};

const isMarked = (field: FieldMeta | undefined) =>
  field !== undefined && (field.private === true || field.personal === true || field.mentions === true);

/** Keys of `/v1` behind which stands a field that the graph shows to few, or that goes with the person. */
function fromRecords(): Set<string> {
  // The classes must have been declared.
  if (modules.length === 0) return new Set();
  return new Set(
    legacyRecords.flatMap(({ fields, keys, paths = {}, type, input }) => {
      const record = findRecord(type ?? input?.replace(/Input$/, '') ?? '');
      if (!record) return [];
      const columns = columnsOf(metaOf(record));
      const places = (name: string) => {
        const path = paths[name] ?? keys(name);
        return typeof path === 'string' ? [path] : [path.read, path.write];
      };
      return fields.filter((name) => places(name).some((path) => isMarked(columns.get(path)?.field))).map((name) => camel(name));
    }),
  );
}

let marked: ReadonlySet<string> | undefined;

/** What a value of that name is on a route; null for what everybody may read. */
export function sensitivityOf(name: string, route: string | null): Sensitive | null {
  marked ??= fromRecords();
  const spelled = camel(name);
  const here = route === null ? undefined : onRoutes[route]?.[spelled];
  if (here) return here;
  const [, found] = patterns.find(([pattern]) => pattern.test(spelled)) ?? [];
  return found ?? (marked.has(spelled) ? 'text' : null);
}

/** What a value of a query is: there codes and keys open something, which elsewhere are those of errors and lookups. */
export const querySensitivity = (name: string, route: string | null): Sensitive | null =>
  sensitivityOf(name, route) ?? (/^(?:code|key|sig)$/i.test(name) ? 'secret' : null);

/** What headers of requests and answers are. */
export function headerSensitivity(name: string): Sensitive | null {
  const lower = name.toLowerCase();
  if (lower === 'pb-api-token') return 'platform';
  if (lower === 'pb-user-token' || lower === 'authorization') return 'user';
  // It names no person, and opens nothing.
  if (lower === 'idempotency-key') return null;
  return sensitivityOf(lower, null) ?? (/secret|token|auth|cookie|(?:^|-)key$/.test(lower) ? 'secret' : null);
}
