import { type DeletedIds, deletedIdsFields } from '../../kernel/declare/deleted-ids.js';
import { Sponsor } from './sponsors/sponsor.js';
import { SponsorImage } from './sponsors/sponsor-image.js';
import { Biography } from './user-content/biography.js';
import { UserImage } from './user-content/user-image.js';

const withItem = { deletedApprovalIds: 'approvals', deletedApprovalCommentIds: 'comments' } as const;
const withSponsor = { deletedSponsorImageIds: 'images', deletedSponsorshipIds: 'sponsorships', ...withItem } as const;

/** IDs of the records that are deleted with an item. */
export type IdsDeletedWithItem = DeletedIds<keyof typeof withItem>;

/** IDs of the records that are deleted with a sponsor. */
export type IdsDeletedWithSponsor = DeletedIds<keyof typeof withSponsor>;

export const deletedIdsFieldsOfItems = [
  ...deletedIdsFields(Sponsor, ['deleteSponsor'], withSponsor),
  ...deletedIdsFields(SponsorImage, ['deleteSponsorImage'], withItem),
  ...deletedIdsFields(UserImage, ['deleteUserImage'], withItem),
  ...deletedIdsFields(Biography, ['deleteBiography'], withItem),
];
