import { reject } from '../../kernel/declare/errors.js';
import { id, instant, int, ref, text } from '../../kernel/declare/fields/fields.js';
import type { Values } from '../../kernel/declare/fields/options.js';
import type { TextFormat } from '../../kernel/declare/meta.js';
import { superAdmin } from '../../kernel/declare/policy/policy.js';
import { record } from '../../kernel/declare/record.js';
import { TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { Platform } from '../accounts/platforms/platform.js';

/** Format of a URL in the header `Link`. Characters with a special meaning in the header must be percent-encoded. */
const linkFormat: TextFormat = {
  matches: (text) => /^https?:\/\/[!-~]+$/.test(text) && !/[<>"\\^`{|}]/.test(text) && URL.canParse(text),
  expected: 'a URL such as https://www.example.com/news/v1',
};
const messageFormat: TextFormat = { matches: (text) => text.trim() !== '', expected: 'a non-blank string' };

/** Rejects a `sunsetAt` before `deprecatedAt`. */
function check({ deprecatedAt, sunsetAt }: Values): void {
  if (typeof deprecatedAt !== 'string' || typeof sunsetAt !== 'string') return;
  if (Date.parse(sunsetAt) < Date.parse(deprecatedAt)) reject('input.sunsetAt', 'a time at or after `deprecatedAt`');
}

@record(
  {
    table: 'deprecation',
    one: 'deprecation',
    many: 'deprecations',
    read: [superAdmin],
    write: { policies: [superAdmin] },
    audited: ['route', 'platformId', 'deprecatedAt', 'sunsetAt', 'text', 'link', 'rehearsalBeginsAt', 'rehearsalMinutes'],
    rootFields: ['one', 'many'],
    check,
  },
  'Deprecation of a route of `/v1`, for one platform or for all. Responses announce it in the headers `Deprecation`, `Sunset` and `Link`. Changes take effect within a second.',
)
export class Deprecation extends TrackedRecord {
  @id('ID of the deprecation.')
  id!: string;

  @text('Method and path of the route, such as `GET /v1/data/teams/{uuid}`.', { required: true, max: 500, comparison: 'exact' })
  route!: string;

  @ref(
    () => Platform,
    { one: 'platform' },
    'Platform that the deprecation applies to. Null means all platforms that have no deprecation of their own for the route.',
  )
  platformId!: string | null;

  @instant('When the route becomes or became deprecated (RFC 9745).', { required: true })
  deprecatedAt!: string;

  @instant('When the route may be removed (RFC 8594). The route works until a release removes it.')
  sunsetAt!: string | null;

  @text('Message for developers: the reason and what to do. At most 2,000 characters.', {
    required: true,
    max: 2000,
    format: messageFormat,
  })
  text!: string;

  @text('HTTP or HTTPS URL with more information. Defaults to the reference of the route.', { max: 2000, format: linkFormat })
  link!: string | null;

  @instant(
    'Start of a rehearsal, during which the route responds with status 410 and `Retry-After`. Responses announce the rehearsal in the header `Sunset-Rehearsal`. A time in the past starts it immediately. Null ends it immediately.',
  )
  rehearsalBeginsAt!: string | null;

  @int('Duration of the rehearsal in minutes, 1 to 1,440. Defaults to 60.', { required: true, default: '60', range: [1, 1440] })
  rehearsalMinutes!: number;
}
