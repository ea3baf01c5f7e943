import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import type { Change, WatchEvent } from '../changes/index.js';
import { type FieldSpec, GeneratedType, type Resolve } from '../declare/fields/generated.js';
import { findRecord, type RecordClass } from '../declare/meta.js';
import type { Caller } from '../declare/policy/caller.js';
import { permitsAllOf, visitor } from '../declare/policy/policy.js';
import { optionsOf } from '../declare/record.js';
import { Instant } from '../declare/scalars/scalars.js';
import { withArticle as oneOf, toWords } from '../declare/scalars/words.js';
import { selectedColumns } from '../read/select.js';

const ChangeEventKind = {
  CREATED: 'CREATED',
  CHANGED: 'CHANGED',
  DELETED: 'DELETED',
  CHANGES_MISSED: 'CHANGES_MISSED',
} as const;
type ChangeEventKind = keyof typeof ChangeEventKind;
registerEnumType(ChangeEventKind, {
  name: 'ChangeEventKind',
  description: 'Kind of change that a subscription event reports.',
  valuesConfig: {
    CREATED: { description: 'A record was created.' },
    CHANGED: { description: 'A record was changed.' },
    DELETED: { description: 'A record was deleted.' },
    CHANGES_MISSED: {
      description:
        'The changes after the cursor are no longer available, for example because they have expired. Reload your data. All later changes are sent.',
    },
  },
});

const cursorText =
  'Position of the event in the change log. Pass it as `after` to a new subscription to resume after the event. If later changes have expired, `CHANGES_MISSED` is sent instead.';

/** Fields of every subscription event. */
interface ChangeEvent {
  cursor: string;
  kind: ChangeEventKind;
  id: string | null;
  at: string | null;
  changedFields: readonly string[];
}

/** Whether a caller may read a record. For public records, ignores the caller, because all subscribers share the result. */
function mayRead(cls: RecordClass, caller: Caller): boolean {
  const { read } = optionsOf(cls);
  return permitsAllOf(read, [visitor]) || read.some((policy) => policy.permitsCaller(caller));
}

/**
 * Returns the changed fields that the caller can see. Empty if the caller may not read the record. Omits restricted fields if the caller
 * cannot see them in the row.
 */
const changedFields: Resolve = async (source, _, { caller, loaders }) => {
  const { change, changedFields: fields } = source as EventSource;
  const cls = change && findRecord(change.record);
  if (!cls) return fields;
  if (!mayRead(cls, caller)) return [];
  const { restriction } = optionsOf(cls);
  if (!restriction || !fields.some((field) => restriction.fields.includes(field))) return fields;
  const row = await loaders.loadRow(cls, restriction.columns, change.id);
  return row && restriction.canSee(row, caller) ? fields : fields.filter((field) => !restriction.fields.includes(field));
};

const eventFields: readonly (readonly [keyof ChangeEvent, FieldSpec & { description: string }])[] = [
  ['cursor', { type: () => String, description: cursorText }],
  ['kind', { type: () => ChangeEventKind, description: 'Kind of change.' }],
  ['id', { type: () => ID, isNullable: true, description: 'ID of the record. Null for `CHANGES_MISSED`.' }],
  ['at', { type: () => Instant, isNullable: true, description: 'Time of the change. Null for `CHANGES_MISSED`.' }],
  [
    'changedFields',
    {
      type: () => [String],
      resolve: changedFields,
      description:
        'Names of the changed fields, such as `startsAt` and `location.city`. Empty if the record was created or deleted.',
    },
  ],
];

/** Decorator: declares a handwritten event type, with the fields of every event. */
export const changeEvent = (name: string, description: string) => (cls: RecordClass) => {
  for (const [field, { type, isNullable = false, description: text }] of eventFields)
    Field(type, { nullable: isNullable, description: text })(cls.prototype, field);
  ObjectType(name, { description })(cls);
};

/** Source object for the resolvers of an event. */
export interface EventSource extends ChangeEvent {
  /** Null for CHANGES_MISSED. */
  readonly change: Change | null;
  /** Name of the changed record. Only the event types for all records have fields for this name and for the IDs below. */
  readonly record: string | null;
  readonly userId: string | null;
  readonly platformId: string | null;
}

const emptySource = { id: null, at: null, changedFields: [], change: null, record: null, userId: null, platformId: null };

/** Returns the source object of an event. `cursor` is the cursor of its position. */
export function sourceOfEvent(notification: WatchEvent, cursor: string): EventSource {
  const { kind } = notification;
  if (kind === 'CHANGES_MISSED') return { cursor, kind, ...emptySource };
  const { id, at, fields, record, author } = notification;
  return { cursor, kind, id, at, changedFields: fields, change: notification, record, ...author };
}

/**
 * Returns the resolver for the current row of an event. It returns null for events of other records, and for rows that have been deleted or
 * are hidden.
 */
const rowOf =
  (cls: RecordClass): Resolve =>
  (source, _, { caller, loaders }, info) => {
    const { change } = source as EventSource;
    return change?.record === cls.name && change.kind !== 'DELETED' && mayRead(cls, caller)
      ? loaders.loadRow(cls, selectedColumns(cls, info), change.id)
      : null;
  };

const rowField = (cls: RecordClass): [string, FieldSpec] => {
  const { one } = optionsOf(cls);
  const description = `The ${toWords(one)}, in its current state. Null if it was deleted or is hidden from the caller, if the event is about another record, and for \`CHANGES_MISSED\`.`;
  return [one, { type: () => cls, isNullable: true, description, resolve: rowOf(cls) }];
};

const types = new Map<string, GeneratedType>();

/**
 * Returns the event type for changes to several records. It has `additionalFields`, and one field for each record. This field has the name
 * of the root field of the record.
 */
export function createChangeEventType(
  name: string,
  description: string,
  records: readonly RecordClass[],
  additionalFields: Readonly<Record<string, FieldSpec>> = {},
): GeneratedType {
  const cached = types.get(name);
  if (cached) return cached;
  const type = new GeneratedType(name, {
    kind: 'object',
    description,
    fields: () => ({ ...Object.fromEntries(records.map(rowField)), ...additionalFields, ...Object.fromEntries(eventFields) }),
  });
  types.set(name, type);
  return type;
}

/** Returns the event type for changes to one record. */
export const createRecordChangeType = (cls: RecordClass): GeneratedType =>
  createChangeEventType(`${cls.name}Change`, `Change to ${oneOf(optionsOf(cls).one)}.`, [cls]);
