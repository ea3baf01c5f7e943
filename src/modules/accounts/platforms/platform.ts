import { flag, id, instant, text, texts } from '../../../kernel/declare/fields/fields.js';
import type { NameReference, TextFormat } from '../../../kernel/declare/meta.js';
import { platform, superAdmin, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { linkOrigin } from './origins.js';

const titleFormat: TextFormat = { matches: (text) => text !== '', expected: 'a title' };

/** Marks a text field that contains the title of a platform. */
export const platformTitleReference: NameReference = {
  target: () => Platform,
  columns: ['title'],
  expected: 'the title of a platform',
};

@record(
  {
    table: 'platform',
    one: 'platform',
    many: 'platforms',
    read: [platform, user],
    write: { policies: [superAdmin] },
    audited: ['isEnabled', 'allowedOrigins'],
    rootFields: ['one', 'many'],
  },
  'Platform that uses this API. Its servers send its token. Its pages and apps send a publishable key.',
)
export class Platform extends TrackedRecord {
  @id('ID of the platform.')
  id!: string;

  @text('Unique title.', { required: true, unique: true, format: titleFormat })
  title!: string;

  @text('Domain of the website.')
  domain!: string | null;

  @flag('Whether the platform may use the API.', { default: 'true' })
  isEnabled!: boolean;

  @texts('Origins that links in emails may point to, such as https://www.example.com.', { format: linkOrigin })
  allowedOrigins!: string[];

  @text('First four characters of the token, by which people can recognize it.', { secret: true, readOnly: true })
  tokenHint!: string | null;

  @text('SHA-256 hash of the token.', { secret: true, readOnly: true, unique: true })
  tokenHash!: string | null;

  @text('SHA-256 hash of the previous token.', { secret: true, readOnly: true, unique: true })
  previousTokenHash!: string | null;

  @instant('When the previous token expires. Null if no previous token is valid.', { readOnly: true })
  previousTokenEndsAt!: string | null;

  @instant(
    'When Courtside last renewed the token or ended the previous token. An import with an earlier or missing time does not replace the tokens.',
    {
      secret: true,
      readOnly: true,
    },
  )
  tokenChangedAt!: string | null;
}
