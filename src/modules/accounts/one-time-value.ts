import { createdAt, id, instant, int, json, ref, text } from '../../kernel/declare/fields.js';
import { superAdmin } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';
import { User } from './user.js';

@record(
  {
    table: 'one_time_value',
    unlogged: true,
    one: 'oneTimeValue',
    many: 'oneTimeValues',
    read: [superAdmin],
    write: nobodyWrites,
    person: { by: 'userId', goes: true },
    rootFields: [],
  },
  'A link, code or token that opens something once. Only its hash is kept.',
)
export class OneTimeValue {
  @id('Id of the value.')
  id!: string;

  @text('SHA-256 of a random value, argon2id of a code.', { secret: true, required: true, unique: true })
  valueHash!: string;

  @text('What it opens.', { secret: true, required: true, max: 20 })
  purpose!: string;

  @ref(() => User, {}, 'Whom it was made for.', { secret: true })
  userId!: string | null;

  @instant('When it ends.', { required: true })
  expiresAt!: string;

  @instant('When it was used.')
  usedAt!: string | null;

  @int('How often a code was guessed at.', { secret: true, required: true, default: '0' })
  attempts!: number;

  @json('What takes effect when it is used.', { secret: true })
  pending!: unknown;

  @createdAt()
  createdAt!: string;
}
