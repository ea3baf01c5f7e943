import { createdAt, type FieldDecorator, group, instant, ref, text, updatedAt } from './fields/fields.js';
import { userRecord } from './meta.js';
import { administratorRole } from './policy/caller.js';
import { value } from './record.js';

/**
 * Declares the ID of the user who performed an action on a record. The service sets it. The graph shows only the relation, because the ID
 * would reveal users whom the caller cannot see.
 */
export const actionUser = (
  one: string,
  description: string,
  { instantField, filterable }: { instantField?: string; filterable?: readonly ['one'] } = {},
): FieldDecorator<string | null> =>
  ref(userRecord, { one, ...(filterable && { filterable }) }, description, {
    ...(instantField && { instantField }),
    readOnly: true,
    secret: true,
    index: false,
  });

const createdByUser = 'User who created the record. Null if unknown or not a user.';

/** Declares `createdById` again, for a record that can be filtered by its creator. */
export const filterableCreator = (): FieldDecorator<string | null> =>
  actionUser('creator', createdByUser, { filterable: ['one'] });

/** Base class of records that store when and by whom they were created and last changed. Only the service sets these fields. */
export abstract class TrackedRecord {
  @createdAt()
  createdAt!: string;

  @updatedAt()
  updatedAt!: string;

  @text('Name of the user or platform that created the record.', { readOnly: true })
  createdBy!: string | null;

  @text('Name of the user or platform that last changed the record.', { readOnly: true })
  updatedBy!: string | null;

  @actionUser('creator', createdByUser)
  createdById!: string | null;

  @actionUser('updater', 'User who last changed the record. Null if unknown or not a user.')
  updatedById!: string | null;
}

@value(
  () =>
    `Creation and last change of a record, as reported by a platform. Only platforms and users with the role ${administratorRole()} can set these fields. When another user writes the record, the service sets the time and the name of the user. The times and names that the service itself records are in \`createdAt\`, \`createdBy\`, \`updatedAt\` and \`updatedBy\` of the record.`,
)
export class Reported {
  @instant('Time of creation.')
  createdAt!: string | null;

  @text('Name of the person who created the record.')
  createdBy!: string | null;

  @instant('Time of the last change.')
  updatedAt!: string | null;

  @text('Name of the person who last changed the record.')
  updatedBy!: string | null;
}

const reportedDescription = 'Creation and last change, as reported by a platform.';

/** Declares the creation and the last change of a record, as reported by a platform. */
export const reportedHistory = (): ReturnType<typeof group<Reported>> =>
  group(() => Reported, reportedDescription, { isReported: true });

/** Like `reportedHistory`, but the creation time defaults to the current time. Used for records that `/v1` lists newest first. */
export const reportedHistoryOrNow = (): ReturnType<typeof group<Reported>> =>
  group(() => Reported, reportedDescription, { isReported: true, defaults: { createdAt: 'clock_timestamp()' } });
