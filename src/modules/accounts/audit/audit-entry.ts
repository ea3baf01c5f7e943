import { FieldResolver, Resolver, Root } from 'type-graphql';
import { enumeration } from '../../../kernel/declare/enumeration.js';
import { createdAt, id, json, listOf, ref, text, texts, values } from '../../../kernel/declare/fields/fields.js';
import { pathOf } from '../../../kernel/declare/fields/legacy-fields.js';
import { columnsOf, findRecord, metaOf } from '../../../kernel/declare/meta.js';
import { permission } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { readsColumns, record, value } from '../../../kernel/declare/record.js';
import { Platform } from '../platforms/platform.js';
import { PublishableKey } from '../platforms/publishable-key.js';
import { User } from '../users/user.js';

export const AuditAction = enumeration('AuditAction', 'Action on a record.', {
  CREATED: 'The record was created. Example: a login creates a UserToken.',
  CHANGED: 'The record was changed. Example: a UserToken was revoked.',
  DELETED: 'The record was deleted.',
  LOCKED:
    'Password checks were blocked temporarily after too many wrong passwords during sign-in, a password change or the erasure of an account.',
  EXPORTED: 'All data about the user was exported.',
  ERASED: 'All personal data of the user was deleted.',
});
export type AuditAction = keyof typeof AuditAction;
export const AuditSource = enumeration('AuditSource', 'Origin of an action.', {
  REQUEST: 'A request to the API.',
  COMMAND: 'A command that an operator ran.',
  SERVICE: 'The service itself, for example at startup, in a daily job or in a migration; or SQL that an operator ran.',
});
@value(
  'Values of a field before and after a change. Numbers are strings in decimal notation. Enumeration values are as stored in the database.',
)
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
    write: noWriters,
    rootFields: ['one', 'many'],
  },
  'Entry of the audit log, which covers permissions, sign-in, platforms, keys, approvals, payments, and changes that users make to other records. Entries never change. They are deleted after `AUDIT_DAYS` days.',
)
export class AuditEntry {
  @id('ID of the entry.')
  id!: string;

  @createdAt('Time of the action.')
  createdAt!: string;

  @text('GraphQL type of the record, such as `User` or `Payment`.', { required: true, comparison: 'exact' })
  recordType!: string;

  @text(
    'ID of the record, which may have been deleted since. Empty if sign-in was blocked for an email address that does not belong to any user.',
    {
      required: true,
      index: true,
      comparison: 'exact',
    },
  )
  recordKey!: string;

  @values(AuditAction, 'Action on the record.', { required: true })
  action!: AuditAction;

  @texts('Changed columns.', { secret: true, readOnly: true })
  columns!: string[];

  @listOf(
    () => AuditChange,
    'Changed values. Fields with secret or personal values are omitted. Empty for record types whose values the audit log does not store, such as tournaments.',
  )
  changes!: AuditChange[];

  @values(AuditSource, 'Origin of the action.', { required: true })
  source!: keyof typeof AuditSource;

  @ref(
    () => User,
    { one: 'user', filterable: ['one'] },
    'User who was signed in when the request was sent. Null if the request had no user token.',
  )
  userId!: string | null;

  @ref(() => Platform, { one: 'platform' }, 'Platform whose token or publishable key the request contained.')
  platformId!: string | null;

  @ref(() => PublishableKey, { one: 'key' }, 'Publishable key in the request.', { index: false })
  keyId!: string | null;

  @text('IP address of the client.', { comparison: 'exact' })
  address!: string | null;
}

/** Columns that every write changes. They are omitted, because the entry itself states the time and the actor. */
const trackingColumns = new Set(['version', 'updated_at', 'updated_by', 'updated_by_id']);

@Resolver(() => AuditEntry)
export class AuditFields {
  @FieldResolver(() => [String], {
    description:
      'Names of the changed fields, such as `email` or `approval.state`. Includes columns that the graph does not show.',
  })
  @readsColumns('recordType', 'columns')
  fields(@Root() { recordType, columns }: Pick<AuditEntry, 'recordType' | 'columns'>): string[] {
    const cls = findRecord(recordType);
    const paths = new Map(
      cls ? [...columnsOf(metaOf(cls)).values()].map((column) => [column.column, pathOf(column)] as const) : [],
    );
    return columns.flatMap((column) => (trackingColumns.has(column) ? [] : (paths.get(column) ?? column)));
  }
}
