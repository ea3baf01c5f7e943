import { id, instant, ref, text, texts } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import { platform, superAdmin } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { callingOrigin } from './origins.js';
import { Platform } from './platform.js';

@record(
  {
    table: 'publishable_key',
    changesBy: ['platformId'],
    one: 'publishableKey',
    many: 'publishableKeys',
    read: [platform, superAdmin],
    write: { by: [platform, superAdmin] },
    audited: ['platformId', 'allowedOrigins', 'revokedAt'],
    rootFields: ['one', 'many'],
    visible: ({ platform, user }, param) => (user?.isSuperAdmin ? null : `r.platform_id = ${param(platform?.id ?? '')}`),
  },
  'A key that pages and apps carry openly: with it they sign people in, and read what signed-out visitors may. A platform sees its own keys, a super admin all. Only its SHA-256 is kept.',
)
export class PublishableKey extends Kept {
  @id('Id of the key.')
  id!: string;

  @ref(
    () => Platform,
    {
      one: 'platform',
      many: 'publishableKeys',
      manyDescription: 'Its publishable keys, revoked ones among them; for the platform itself and super admins.',
    },
    'The platform that it belongs to; the one that asks unless a super admin names another.',
  )
  platformId!: string | null;

  @text('What it is for, such as the name of a site.', { max: 200 })
  label!: string | null;

  @texts(
    'Origins whose pages may use it, at most 100: scheme, host and port, such as https://www.example.com; http://localhost:* stands for all ports of localhost. While none is named no page of another site may use it, only apps and servers, which send no Origin header. Pages of this service may always use it.',
    // They are kept in memory with the key and compared at every request of a page.
    { form: callingOrigin, most: [100, 'origins'] },
  )
  allowedOrigins!: string[];

  @text('First characters of the key, to recognise it by.', { readOnly: true })
  hint!: string | null;

  @instant('When it was revoked, for good: from then on it opens nothing.', { readOnly: true })
  revokedAt!: string | null;

  @text('SHA-256 of the key.', { secret: true, required: true, readOnly: true, unique: true })
  keyHash!: string;
}
