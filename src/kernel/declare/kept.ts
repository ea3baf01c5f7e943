import { createdAt, group, instant, type On, ref, text, updatedAt } from './fields.js';
import { recordNamed } from './meta.js';
import { value } from './record.js';

/** The user who did something to a record, kept by the service beside the name. The graph has the relation alone: ids of users who may not be read tell nobody anything. */
export const doneBy = (one: string, description: string, options: { doneAt?: string } = {}): On<string | null> =>
  ref(() => recordNamed('User'), { one }, description, { ...options, readOnly: true, secret: true, index: false });

/** What the service keeps of a record by itself, on every write: clients read it and never set it. */
export abstract class Kept {
  @createdAt()
  createdAt!: string;

  @updatedAt()
  updatedAt!: string;

  @text('Name of the user, or else of the platform, who created it.', { readOnly: true })
  createdBy!: string | null;

  @text('Name of the user, or else of the platform, who last changed it.', { readOnly: true })
  updatedBy!: string | null;

  @doneBy('creator', 'The user who created it; null where a platform alone or the service did, and where that was not kept yet.')
  createdById!: string | null;

  @doneBy(
    'updater',
    'The user who last changed it; null where a platform alone or the service did, and where that was not kept yet.',
  )
  updatedById!: string | null;
}

@value(
  'Who made and changed a record, and when, as reported with it: of records that were made elsewhere, before they came here. What the service itself keeps are `createdAt`, `createdBy`, `updatedAt` and `updatedBy` of the record.',
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

const reporting =
  'Who made and changed it, and when, as reported with it; only platforms and users with the role ADMIN set it. When another user writes the record, the service sets the time and the name of the user.';

/** What a platform tells of a record's making. */
export const reported = (): ReturnType<typeof group<Reported>> => group(() => Reported, reporting, { isReported: true });

/** The same of a record that legacy lists show from new to old: where nothing is told, it was made when it came. */
export const reportedOrNow = (): ReturnType<typeof group<Reported>> =>
  group(() => Reported, reporting, { isReported: true, defaults: { createdAt: 'clock_timestamp()' } });
