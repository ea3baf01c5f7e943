import { module } from '../../kernel/serve/module.js';
import { Approval } from './approval.js';
import { approvalChangeResolvers } from './approval-changes.js';
import { ApprovalComment } from './approval-comment.js';
import { ApprovalHistory } from './approval-history.js';
import { approvedItems, StatusItem } from './approval-items.js';
import { ApprovalResolver } from './approval-resolver.js';
import { ApprovalStatus } from './approval-status.js';
import { Biography } from './biography.js';
import { CommentResolver } from './comment-resolver.js';
import { deletedWithItemFields } from './deleted-ids.js';
import { PendingResolver, ViewersApprovals } from './pending-resolver.js';
import { SavedImages } from './saved-images.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';
import { sponsorRelations } from './sponsor-relations.js';
import { SponsorResolver } from './sponsor-resolver.js';
import { Sponsorship } from './sponsorship.js';
import { UserContentResolver } from './user-content-resolver.js';
import { UserImage } from './user-image.js';

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
    ApprovalHistory,
    ...approvedItems,
    ...approvalChangeResolvers,
    StatusItem,
    PendingResolver,
    ViewersApprovals,
    CommentResolver,
    ...deletedWithItemFields,
    ...sponsorRelations,
  ],
  actions: [
    {
      name: 'approve',
      description: 'Approve it. True if it is pending, and the caller may approve it and has not approved it yet.',
    },
  ],
});
