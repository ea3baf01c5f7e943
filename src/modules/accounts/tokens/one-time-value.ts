import { createdAt, id, instant, int, json, ref, text } from '../../../kernel/declare/fields/fields.js';
import { superAdmin } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { User } from '../users/user.js';

@record(
  {
    table: 'one_time_value',
    unlogged: true,
    one: 'oneTimeValue',
    many: 'oneTimeValues',
    read: [superAdmin],
    write: noWriters,
    person: { field: 'userId', deletesRows: true },
    rootFields: [],
  },
  'Link, code or token that can be used once. Only its hash is stored.',
)
export class OneTimeValue {
  @id('ID of the value.')
  id!: string;

  @text('SHA-256 hash of a random value, or argon2id hash of a code.', { secret: true, required: true, unique: true })
  valueHash!: string;

  @text('Purpose of the value.', { secret: true, required: true, max: 20 })
  purpose!: string;

  @ref(() => User, {}, 'User that the value was issued for.', { secret: true })
  userId!: string | null;

  @instant('When the value expires.', { required: true })
  expiresAt!: string;

  @instant('When the value was used or invalidated. Null otherwise.')
  usedAt!: string | null;

  @int('Number of attempts with the code.', { secret: true, required: true, default: '0' })
  attempts!: number;

  @json('Changes that take effect when the value is used.', { secret: true })
  pending!: unknown;

  @createdAt()
  createdAt!: string;
}
