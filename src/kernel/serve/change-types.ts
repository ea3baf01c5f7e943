import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import type { Change, Told } from '../changes/index.js';
import { type FieldSpec, GeneratedType, type Resolve } from '../declare/generated.js';
import type { RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { Instant } from '../declare/scalars.js';
import { one as oneOf, worded } from '../declare/words.js';
import { columnsWanted } from '../read/select.js';

/** What an event of a subscription tells. */
export const ChangeEventKind = {
  CREATED: 'CREATED',
  CHANGED: 'CHANGED',
  DELETED: 'DELETED',
  CHANGES_MISSED: 'CHANGES_MISSED',
} as const;
export type ChangeEventKind = keyof typeof ChangeEventKind;
registerEnumType(ChangeEventKind, {
  name: 'ChangeEventKind',
  description: 'What an event of a subscription tells.',
  valuesConfig: {
    CREATED: { description: 'A record was made.' },
    CHANGED: { description: 'A record was changed.' },
    DELETED: { description: 'A record was deleted.' },
    CHANGES_MISSED: {
      description:
        'Changes after the cursor were deleted, or were too many to send. Read again what you show. The events that follow are complete.',
    },
  },
});

const cursorText =
  'Marks this place among all changes: a subscription that is given it as `after` tells what came since, for as many days as changes are kept.';

/** What every event of a subscription has. */
export interface ChangeEvent {
  cursor: string;
  kind: ChangeEventKind;
  id: string | null;
  at: string | null;
  changedFields: readonly string[];
}

const eventFields: readonly (readonly [keyof ChangeEvent, FieldSpec & { description: string }])[] = [
  ['cursor', { type: () => String, description: cursorText }],
  ['kind', { type: () => ChangeEventKind, description: 'What happened.' }],
  ['id', { type: () => ID, isNullable: true, description: 'Id of the record; null where all has to be read anew.' }],
  ['at', { type: () => Instant, isNullable: true, description: 'When it was written; null where all has to be read anew.' }],
  [
    'changedFields',
    {
      type: () => [String],
      description:
        'Names of the fields of a changed record that have other values than before, such as `startsAt` and `location.city`; none of one that was made or deleted.',
    },
  ],
];

/** Decorator of a handwritten type of events: adds the fields of every event. */
export const changeEvent = (name: string, description: string) => (cls: RecordClass) => {
  for (const [field, { type, isNullable = false, description: text }] of eventFields)
    Field(type, { nullable: isNullable, description: text })(cls.prototype, field);
  ObjectType(name, { description })(cls);
};

/** What the fields of an event are read from. */
export interface EventSource extends ChangeEvent {
  /** Null where all has to be read anew. */
  readonly change: Change | null;
  /** What types of events that tell of all records have beside. */
  readonly record: string | null;
  readonly userId: string | null;
  readonly platformId: string | null;
}

const ofNothing = { id: null, at: null, changedFields: [], change: null, record: null, userId: null, platformId: null };

/** The source of an event, with the cursor of its position. */
export function sourceOfEvent(told: Told, cursor: string): EventSource {
  const { kind } = told;
  if (kind === 'CHANGES_MISSED') return { cursor, kind, ...ofNothing };
  const { id, at, fields, record, by } = told;
  return { cursor, kind, id, at, changedFields: fields, change: told, record, ...by };
}

/** The row that an event is about, as it is now: null where it is of another record, gone, or not seen by the caller. */
const rowOf =
  (cls: RecordClass): Resolve =>
  (source, _, { loaders }, info) => {
    const { change } = source as EventSource;
    return change?.record === cls.name && change.kind !== 'DELETED'
      ? loaders.one(cls, columnsWanted(cls, info), change.id)
      : null;
  };

const rowField = (cls: RecordClass): [string, FieldSpec] => {
  const { one } = optionsOf(cls);
  const description = `The ${worded(one)} as it is now. Null if the event is about another record, or the record was deleted.`;
  return [one, { type: () => cls, isNullable: true, description, resolve: rowOf(cls) }];
};

const types = new Map<string, GeneratedType>();

/** The type of events about rows of some records, with a field for each of these, called as their root field is. */
export function changeTypeOf(name: string, description: string, records: readonly RecordClass[]): GeneratedType {
  const known = types.get(name);
  if (known) return known;
  const type = new GeneratedType(name, {
    kind: 'object',
    description,
    fields: () => ({ ...Object.fromEntries(records.map(rowField)), ...Object.fromEntries(eventFields) }),
  });
  types.set(name, type);
  return type;
}

/** The type of events about one record. */
export const changeOfOne = (cls: RecordClass): GeneratedType =>
  changeTypeOf(`${cls.name}Change`, `A change of ${oneOf(optionsOf(cls).one)}.`, [cls]);
