import { flag, id, text, texts } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import type { Form, Named } from '../../kernel/declare/meta.js';
import { platform, superAdmin, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { linkedOrigin } from './origins.js';

const aTitle: Form = { fits: (text) => text !== '', expected: 'a title' };

/** A text that is the title of a platform. */
export const namesPlatform: Named = { target: () => Platform, by: ['title'] };

@record(
  {
    table: 'platform',
    one: 'platform',
    many: 'platforms',
    read: [platform, user],
    write: { by: [superAdmin] },
    audited: ['isEnabled', 'allowedOrigins'],
    rootFields: ['one', 'many'],
  },
  'A platform that calls the service with its own token; pages and apps of it carry its publishable keys instead.',
)
export class Platform extends Kept {
  @id('Id of the platform.')
  id!: string;

  @text('Title, unique.', { required: true, unique: true, form: aTitle })
  title!: string;

  @text('Domain of its website.')
  domain!: string | null;

  @flag('It may call the service.', { default: 'true' })
  isEnabled!: boolean;

  @texts('Origins to which links in mails may lead.', { form: linkedOrigin })
  allowedOrigins!: string[];

  @text('First characters of the token, to recognise it by.', { secret: true, readOnly: true })
  tokenHint!: string | null;

  @text('SHA-256 of the token.', { secret: true, readOnly: true, unique: true })
  tokenHash!: string | null;
}
