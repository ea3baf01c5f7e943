import { expression, parameter } from '../../../kernel/declare/expression.js';
import { id, instant, ref, text, texts } from '../../../kernel/declare/fields/fields.js';
import { platform, superAdmin } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { keyOrigin } from './origins.js';
import { Platform } from './platform.js';

@record(
  {
    table: 'publishable_key',
    changeLogColumns: ['platformId'],
    one: 'publishableKey',
    many: 'publishableKeys',
    read: [platform, superAdmin],
    write: { policies: [platform, superAdmin] },
    audited: ['platformId', 'allowedOrigins', 'revokedAt'],
    rootFields: ['one', 'many'],
    visibleCondition: ({ platform, user }, row) =>
      user?.isSuperAdmin ? null : expression`${row}.platform_id = ${parameter(platform?.id ?? '')}`,
  },
  'Public key for pages and apps, which use it to sign users in and to read public data. A platform sees its own keys. Super admins see all keys. Only the SHA-256 hash of a key is stored.',
)
export class PublishableKey extends TrackedRecord {
  @id('ID of the key.')
  id!: string;

  @ref(
    () => Platform,
    {
      one: 'platform',
      many: 'publishableKeys',
      manyDescription:
        'Publishable keys of the platform, including revoked ones. Visible to the platform itself and super admins.',
    },
    'Platform that the key belongs to. Default: the calling platform. Only super admins can specify another platform.',
    { required: true },
  )
  platformId!: string;

  @text('Label, such as the name of a site. At most 200 characters.', { max: 200 })
  label!: string | null;

  @texts(
    'Origins of pages that may use the key: scheme, host and port, such as https://www.example.com. At most 100. `http://localhost:*` allows all ports of localhost. If empty, only apps and servers may use the key, because they send no Origin header. Pages of this service may always use it.',
    // The maximum keeps checks fast: the origin of each request from a page is compared with the cached list.
    { format: keyOrigin, maxItems: [100, 'origins'] },
  )
  allowedOrigins!: string[];

  @text('First characters of the key, by which people can recognize it.', { required: true, readOnly: true })
  hint!: string;

  @instant('When the key was permanently revoked. Null while the key is active.', { readOnly: true })
  revokedAt!: string | null;

  @text('SHA-256 hash of the key.', { secret: true, required: true, readOnly: true, unique: true })
  keyHash!: string;
}
