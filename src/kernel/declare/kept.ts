import { createdAt, group, instant, type On, ref, text, updatedAt } from './fields.js';
import { recordNamed } from './meta.js';
import { value } from './record.js';

/** The user who did something to a record, kept by the service beside the name. The graph has the relation alone: ids of users who may not be read tell nobody anything. */
export const doneBy = (
  one: string,
  description: string,
  { doneAt, filterable }: { doneAt?: string; filterable?: readonly ['one'] } = {},
): On<string | null> =>
  ref(() => recordNamed('User'), { one, ...(filterable && { filterable }) }, description, {
    ...(doneAt && { doneAt }),
    readOnly: true,
    secret: true,
    index: false,
  });

const createdByUser = 'User who created it. Null if unknown or not a user.';

/** Redeclares `createdById` of a record whose lists can be filtered by the creator. */
export const filterableCreator = (): On<string | null> => doneBy('creator', createdByUser, { filterable: ['one'] });

/** What the service keeps of a record by itself, on every write: clients read it and never set it. */
export abstract class Kept {
  @createdAt()
  createdAt!: string;

  @updatedAt()
  updatedAt!: string;

  @text('Name of the user or platform that created it.', { readOnly: true })
  createdBy!: string | null;

  @text('Name of the user or platform that last changed it.', { readOnly: true })
  updatedBy!: string | null;

  @doneBy('creator', createdByUser)
  createdById!: string | null;

  @doneBy('updater', 'User who last changed it. Null if unknown or not a user.')
  updatedById!: string | null;
}

@value(
  'Who created and changed a record, and when, as reported by its source. Only platforms and users with the role ADMIN set it; when another user writes the record, the service sets the time and the name of the user. The service itself keeps `createdAt`, `createdBy`, `updatedAt` and `updatedBy` of the record.',
)
export class Reported {
  @instant('When it was made.')
  createdAt!: string | null;

  @text('Name of the person who made it.')
  createdBy!: string | null;

  @instant('When it was last changed.')
  updatedAt!: string | null;

  @text('Name of the person who last changed it.')
  updatedBy!: string | null;
}

const reporting = 'Who created and changed it, and when, as reported by its source.';

/** What a platform tells of a record's making. */
export const reported = (): ReturnType<typeof group<Reported>> => group(() => Reported, reporting, { isReported: true });

/** The same of a record that legacy lists show from new to old: where nothing is told, it was made when it came. */
export const reportedOrNow = (): ReturnType<typeof group<Reported>> =>
  group(() => Reported, reporting, { isReported: true, defaults: { createdAt: 'clock_timestamp()' } });
