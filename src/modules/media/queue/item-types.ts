import type { RecordClass } from '../../../kernel/declare/meta.js';
import type { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import type { Session } from '../../../kernel/session.js';
import type { ApprovalItemType, ApprovalStatus } from '../approval/approval-status.js';
import { Sponsor } from '../sponsors/sponsor.js';
import { SponsorImage } from '../sponsors/sponsor-image.js';
import { Biography } from '../user-content/biography.js';
import { UserImage } from '../user-content/user-image.js';

interface Approvable extends TrackedRecord {
  id: string;
  approval: ApprovalStatus;
}

type OwnerId = string | null;

/** Properties of an item type in the approval flow. */
interface ItemType {
  record: RecordClass<Approvable>;
  /** Returns the ID of the owner: the user that the item belongs to, or else its creator. */
  ownerOf(item: Approvable, sql: Session): OwnerId | Promise<OwnerId>;
  /** Display name of the type in notifications. */
  noun: string;
  canBeDeclined: boolean;
}

const itemType = <T extends Approvable>(
  record: RecordClass<T>,
  ownerOf: (item: NoInfer<T>, sql: Session) => OwnerId | Promise<OwnerId>,
  properties: Pick<ItemType, 'noun' | 'canBeDeclined'>,
): ItemType => ({ record, ownerOf, ...properties });

const ownerOfSponsor = ({ userId, createdById }: Pick<Sponsor, 'userId' | 'createdById'>): OwnerId => userId || createdById;

async function ownerOfImage({ sponsorId }: SponsorImage, sql: Session): Promise<OwnerId> {
  if (sponsorId === null) return null;
  const sponsor = await sql.first(
    sql.db.selectFrom('sponsor').select(['user_id as userId', 'created_by_id as createdById']).where('id', '=', sponsorId),
  );
  return sponsor && ownerOfSponsor(sponsor);
}

export const itemTypes: Readonly<Record<ApprovalItemType, ItemType>> = {
  SPONSOR: itemType(Sponsor, ownerOfSponsor, { noun: 'sponsor', canBeDeclined: false }),
  SPONSOR_IMAGE: itemType(SponsorImage, ownerOfImage, { noun: 'sponsor image', canBeDeclined: false }),
  USER_IMAGE: itemType(UserImage, ({ userId }) => userId, { noun: 'image', canBeDeclined: true }),
  BIOGRAPHY: itemType(Biography, ({ userId }) => userId, { noun: 'biography', canBeDeclined: true }),
};

const typesByRecordName = new Map(
  (Object.keys(itemTypes) as ApprovalItemType[]).map((type): [string, ApprovalItemType] => [itemTypes[type].record.name, type]),
);

/** Returns the approval item type of a record type. Throws an error if records of this type need no approval. */
export const itemTypeOf = (recordName: string): ApprovalItemType => {
  const type = typesByRecordName.get(recordName);
  if (!type) throw new Error(`${recordName} records do not have approvals`);
  return type;
};
