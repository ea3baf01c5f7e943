import { registerEnumType } from 'type-graphql';
import { createdAt, id, json, listOf, ref, text, texts, values } from '../../kernel/declare/fields.js';
import { permission } from '../../kernel/declare/policy.js';
import { record, value } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';
import { Platform } from './platform.js';
import { PublishableKey } from './publishable-key.js';
import { User } from './user.js';

export const AuditAction = {
  CREATED: 'CREATED',
  CHANGED: 'CHANGED',
  DELETED: 'DELETED',
  LOCKED: 'LOCKED',
  EXPORTED: 'EXPORTED',
  ERASED: 'ERASED',
} as const;
export type AuditAction = keyof typeof AuditAction;
registerEnumType(AuditAction, {
  name: 'AuditAction',
  description: 'What was done to a record.',
  valuesConfig: {
    CREATED: { description: 'It was made: a login makes a UserToken.' },
    CHANGED: { description: 'It was changed: a token that is revoked is a change of it.' },
    DELETED: { description: 'It was deleted.' },
    LOCKED: { description: 'Sign-on of the user was locked for a while, after too many wrong passwords.' },
    EXPORTED: { description: 'All that is kept about the user was given out.' },
    ERASED: { description: 'The person was taken from the user and from all that is kept beside.' },
  },
});

export const AuditSource = { REQUEST: 'REQUEST', COMMAND: 'COMMAND', SERVICE: 'SERVICE' } as const;
registerEnumType(AuditSource, {
  name: 'AuditSource',
  description: 'By which way something was done.',
  valuesConfig: {
    REQUEST: { description: 'By a request.' },
    COMMAND: { description: 'By a command of an operator.' },
    SERVICE: {
      description:
        'By the service itself, such as at startup, in a daily job or in a migration, or by SQL statements of an operator.',
    },
  },
});

@value('Values of a field before and after a change. Numbers are decimal texts. Enumerations have their stored values.')
export class AuditChange {
  @text('Name of the field, as in `fields`.', { required: true })
  field!: string;

  @json('Value before the change. Null if the record was created.')
  before!: unknown;

  @json('Value after the change. Null if the record was deleted.')
  after!: unknown;
}

@record(
  {
    table: 'audit_entry',
    unlogged: true,
    one: 'auditEntry',
    many: 'auditEntries',
    read: [permission('ADMIN')],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
  },
  'Who changed what and when, of rights, sign-on, platforms, keys, approvals and money. Entries are never changed, and kept for `AUDIT_DAYS`.',
)
export class AuditEntry {
  @id('Id of the entry.')
  id!: string;

  @createdAt('When it was done.')
  createdAt!: string;

  @text('Type of the record, as it is called here: User, Payment.', { required: true, letters: 'exact' })
  recordType!: string;

  @text('Id of the record, which may be gone by now; empty where sign-on was locked of an e-mail address that no user has.', {
    required: true,
    index: true,
    letters: 'exact',
  })
  recordKey!: string;

  @values(AuditAction, 'What was done.', { required: true })
  action!: AuditAction;

  @texts('Columns that changed.', { secret: true, readOnly: true })
  columns!: string[];

  @listOf(() => AuditChange, 'What some fields held before and after, where that is neither secret nor personal.')
  changes!: AuditChange[];

  @values(AuditSource, 'By which way it was done.', { required: true })
  source!: keyof typeof AuditSource;

  @ref(() => User, { one: 'user' }, 'The user whose token the request had.')
  userId!: string | null;

  @ref(() => Platform, { one: 'platform' }, 'The platform that asked, or whose publishable key the request had.')
  platformId!: string | null;

  @ref(() => PublishableKey, { one: 'key' }, 'The publishable key that the request had.', { index: false })
  keyId!: string | null;

  @text('Network address from which the request came.', { letters: 'exact' })
  address!: string | null;
}
