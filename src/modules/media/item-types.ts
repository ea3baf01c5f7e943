import type { RecordClass } from '../../kernel/meta.js';
import type { ApprovalItemType } from './approval-state.js';
import { Biography } from './biography.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';
import { UserImage } from './user-image.js';

/** What the approval flow has to know of a type of item; it works the same for all that stand in this table. */
export interface ItemType {
  record: RecordClass;
  /** Whose it is, in SQL over the item's row `r`: the user's whom it names, else its maker's. */
  owner: string;
  /** What it is called in messages to its owner. */
  noun: string;
  canBeDeclined: boolean;
}

const ofSponsor = (row: string) => `coalesce(nullif(${row}.user_id, ''), ${row}.created_by_id)`;

export const itemTypes: Readonly<Record<ApprovalItemType, ItemType>> = {
  SPONSOR: { record: Sponsor, owner: ofSponsor('r'), noun: 'sponsor', canBeDeclined: false },
  SPONSOR_IMAGE: {
    record: SponsorImage,
    owner: `(select ${ofSponsor('s')} from sponsor s where s.id = r.sponsor_id)`,
    noun: 'sponsor image',
    canBeDeclined: false,
  },
  USER_IMAGE: { record: UserImage, owner: 'r.user_id', noun: 'image', canBeDeclined: true },
  BIOGRAPHY: { record: Biography, owner: 'r.user_id', noun: 'biography', canBeDeclined: true },
};

const names = new Map(Object.entries(itemTypes).map(([type, { record }]) => [record.name, type]));

/** The item type of a record's GraphQL type. */
export const itemTypeOf = (typename: string): string => names.get(typename) ?? '';
