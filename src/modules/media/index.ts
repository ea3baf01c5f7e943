import { module } from '../../kernel/serve/module.js';
import { Approval } from './approval/approval.js';
import { approvalChangeResolvers } from './approval/approval-changes.js';
import { ApprovalComment } from './approval/approval-comment.js';
import { ApprovalResolver } from './approval/approval-resolver.js';
import { ApprovalStatus } from './approval/approval-status.js';
import { CommentResolver } from './approval/comment-resolver.js';
import { itemRelations, StatusResolver } from './approval/status-resolver.js';
import { deletedIdsFieldsOfItems } from './deleted-ids.js';
import { PendingResolver, ViewerApprovals } from './queue/pending-resolver.js';
import { Sponsor } from './sponsors/sponsor.js';
import { SponsorImage } from './sponsors/sponsor-image.js';
import { SponsorResolver } from './sponsors/sponsor-resolver.js';
import { Sponsorship, sponsorRelations } from './sponsors/sponsorship.js';
import { Biography } from './user-content/biography.js';
import { SavedImages } from './user-content/saved-images.js';
import { UserContentResolver } from './user-content/user-content-resolver.js';
import { UserImage } from './user-content/user-image.js';

/** Sponsors, user images, biographies and their approvals (sections 2.5, 2.8 to 2.10 and 3). */
export const media = module({
  name: 'media',
  description: 'Sponsors and their images, user images, biographies, approvals and comments.',
  records: [Sponsor, SponsorImage, Sponsorship, UserImage, Biography, Approval, ApprovalComment],
  values: [ApprovalStatus],
  resolvers: [
    SponsorResolver,
    SavedImages,
    UserContentResolver,
    ApprovalResolver,
    ...itemRelations,
    ...approvalChangeResolvers,
    StatusResolver,
    PendingResolver,
    ViewerApprovals,
    CommentResolver,
    ...deletedIdsFieldsOfItems,
    ...sponsorRelations,
  ],
  actions: [
    {
      name: 'approve',
      description:
        'Whether the caller can approve the item now: the item is pending, and the caller has the permission and has not approved it yet.',
    },
  ],
});
