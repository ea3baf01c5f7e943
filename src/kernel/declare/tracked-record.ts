import { createdAt, type FieldDecorator, group, instant, ref, text, updatedAt } from './fields/fields.js';
import { userRecord } from './meta.js';
import { administratorRole } from './policy/caller.js';
import { value } from './record.js';

/**
 * ID of the user who performed an action on a record, set by the service. The graph exposes only the relation, so that it reveals no IDs of
 * users whom the caller cannot see.
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

const createdByUser = 'User who created it. Null if unknown or not a user.';

/** Redeclares `createdById` of a record whose lists can be filtered by the creator. */
export const filterableCreator = (): FieldDecorator<string | null> =>
  actionUser('creator', createdByUser, { filterable: ['one'] });

/** Metadata that the service sets on every write. Clients cannot set it. */
export abstract class TrackedRecord {
  @createdAt()
  createdAt!: string;

  @updatedAt()
  updatedAt!: string;

  @text('Name of the user or platform that created it.', { readOnly: true })
  createdBy!: string | null;

  @text('Name of the user or platform that last changed it.', { readOnly: true })
  updatedBy!: string | null;

  @actionUser('creator', createdByUser)
  createdById!: string | null;

  @actionUser('updater', 'User who last changed it. Null if unknown or not a user.')
  updatedById!: string | null;
}

@value(
  () =>
    `Who created and changed a record, and when, as reported by its source. Only platforms and users with the role ${administratorRole()} set it; when another user writes the record, the service sets the time and the name of the user. For the values that the service records, see \`createdAt\`, \`createdBy\`, \`updatedAt\` and \`updatedBy\` of the record.`,
)
export class Reported {
  @instant('When it was created.')
  createdAt!: string | null;

  @text('Name of the person who created it.')
  createdBy!: string | null;

  @instant('When it was last changed.')
  updatedAt!: string | null;

  @text('Name of the person who last changed it.')
  updatedBy!: string | null;
}

const reportedDescription = 'Who created and changed it, and when, as reported by its source.';

/** History of a record, as reported by a platform. */
export const reported = (): ReturnType<typeof group<Reported>> =>
  group(() => Reported, reportedDescription, { isReported: true });

/** Like `reported`, for records that `/v1` lists newest first. The creation time defaults to the current time. */
export const reportedOrNow = (): ReturnType<typeof group<Reported>> =>
  group(() => Reported, reportedDescription, { isReported: true, defaults: { createdAt: 'clock_timestamp()' } });
