import type { RecordClass } from '../../../kernel/declare/meta.js';
import type { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import type { Session } from '../../../kernel/session.js';
import type { ApprovalItemType } from '../approval/approval-state.js';
import type { ApprovalStatus } from '../approval/approval-status.js';
import { Sponsor } from '../sponsors/sponsor.js';
import { SponsorImage } from '../sponsors/sponsor-image.js';
import { Biography } from '../user-content/biography.js';
import { UserImage } from '../user-content/user-image.js';

interface Approvable extends TrackedRecord {
  id: string;
  approval: ApprovalStatus;
}

type Owner = string | null;

/** Description of an item type for the approval flow. */
export interface ItemType {
  record: RecordClass<Approvable>;
  /** ID of the owner: the user of the item, or else its creator. */
  ownerOf(item: Approvable, sql: Session): Owner | Promise<Owner>;
  /** Name of the type in messages to owners. */
  noun: string;
  canBeDeclined: boolean;
}

const itemType = <T extends Approvable>(
  record: RecordClass<T>,
  ownerOf: (item: NoInfer<T>, sql: Session) => Owner | Promise<Owner>,
  description: Pick<ItemType, 'noun' | 'canBeDeclined'>,
): ItemType => ({ record, ownerOf, ...description });

const ownerOfSponsor = ({ userId, createdById }: Pick<Sponsor, 'userId' | 'createdById'>): Owner => userId || createdById;

async function ownerOfImage({ sponsorId }: SponsorImage, sql: Session): Promise<Owner> {
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

const names = new Map(
  (Object.keys(itemTypes) as ApprovalItemType[]).map((type): [string, ApprovalItemType] => [itemTypes[type].record.name, type]),
);

/** Item type of a GraphQL type. Throws for types without approval. */
export const itemTypeOf = (typename: string): ApprovalItemType => {
  const type = names.get(typename);
  if (!type) throw new Error(`${typename} has no approval`);
  return type;
};
