import { reject } from '../../kernel/declare/errors.js';
import { id, instant, int, ref, text } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import type { Form } from '../../kernel/declare/meta.js';
import type { Values } from '../../kernel/declare/options.js';
import { superAdmin } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { Platform } from '../accounts/platform.js';

/** An address that may stand in a header: what others would read as more than an address is written in escapes in it. */
const address: Form = {
  fits: (text) => /^https?:\/\/[!-~]+$/.test(text) && !/[<>"\\^`{|}]/.test(text) && URL.canParse(text),
  expected: 'an address such as https://www.example.com/news/v1',
};
const saying: Form = { fits: (text) => text.trim() !== '', expected: 'a text' };

/** No end comes before its announcement. */
function check({ deprecatedAt, sunsetAt }: Values): void {
  if (typeof deprecatedAt !== 'string' || typeof sunsetAt !== 'string') return;
  if (Date.parse(sunsetAt) < Date.parse(deprecatedAt)) reject('input.sunsetAt', 'a time that is not before `deprecatedAt`');
}

@record(
  {
    table: 'deprecation',
    one: 'deprecation',
    many: 'deprecations',
    read: [superAdmin],
    write: { by: [superAdmin] },
    audited: ['route', 'platformId', 'deprecatedAt', 'sunsetAt', 'text', 'link', 'rehearsalBeginsAt', 'rehearsalMinutes'],
    rootFields: ['one', 'many'],
    check,
  },
  'A route of `/v1` that is to go, for one platform or for all: its answers say so in the headers `Deprecation`, `Sunset` and `Link`, within a second of the change.',
)
export class Deprecation extends Kept {
  @id('Id of the announcement.')
  id!: string;

  @text('Method and path, such as `GET /v1/data/teams/{uuid}`.', { required: true, max: 500, letters: 'exact' })
  route!: string;

  @ref(
    () => Platform,
    { one: 'platform' },
    'The platform to which it is announced; without one, all, unless there is an announcement of their own.',
  )
  platformId!: string | null;

  @instant('From when on the route is deprecated; a time to come announces it (RFC 9745).', { required: true })
  deprecatedAt!: string;

  @instant('From when on the route may be gone (RFC 8594); it is still answered then, until a release has it no more.')
  sunsetAt!: string | null;

  @text('What people are told: why, and what to do.', { required: true, max: 2000, form: saying })
  text!: string;

  @text('Where people read more, with http or https; without it, the reference of the route.', { max: 2000, form: address })
  link!: string | null;

  @instant(
    'When a rehearsal begins, in which the route is answered with 410 and `Retry-After`. Until its end answers announce it in the header `Sunset-Rehearsal`: a time that is over begins it at once, null ends it at once.',
  )
  rehearsalBeginsAt!: string | null;

  @int('How long a rehearsal lasts, 1 to 1,440 minutes.', { required: true, default: '60', range: [1, 1440] })
  rehearsalMinutes!: number;
}
