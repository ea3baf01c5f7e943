import { camelExcept, computed, enumText, listOf, readOnly, record, sameForFields, writeOnly } from '../engine/index.js';

const keys = camelExcept({
  dateCreated: 'reported.createdAt',
  dateDisabled: 'disabledAt',
  dateStartedSponsorship: 'startedAt',
  dateApproved: 'approvedAt',
  dateCanceled: 'canceledAt',
  lastModifiedDate: 'modifiedAt',
  systemApprovalItemId: 'itemId',
  bioText: 'text',
});

const isApproved = computed<{ approval: { state: string } }>(
  'approval { state }',
  ({ approval }) => approval.state === 'APPROVED',
  {
    type: 'boolean',
    description: 'Whether the item is approved.',
  },
  { path: 'approval.state', decode: (value) => (value === true ? 'APPROVED' : 'PENDING') },
);

// Sponsors and their images (section 2.5).

export const sponsorImage = record('SponsorImage', {
  type: 'SponsorImage',
  input: 'SponsorImageInput',
  keys,
  fields: 'uuid sponsorUuid url displayOrder dateDisabled isPrimary isApproved size color',
  as: { sponsorUuid: readOnly, isApproved },
});

export const sponsor = record('Sponsor', {
  type: 'Sponsor',
  input: 'SponsorSubmission',
  keys,
  fields: `uuid userUuid title url description displayOrder dateCreated dateStartedSponsorship dateDisabled isPrimary isApproved Size Color
    sponsorImages`,
  owner: 'userUuid',
  paths: {
    Size: { read: 'title', write: 'size' },
    Color: { read: 'title', write: 'color' },
    sponsorImages: { read: 'images(first: 100).nodes', write: 'images' },
  },
  as: { isApproved, ...sameForFields('Size Color', writeOnly), sponsorImages: listOf(sponsorImage) },
});

/**
 * A sponsor in the responses to create and update requests. Its images include all images that the request created or changed, even if they
 * are not approved.
 */
export const savedSponsor = record('SavedSponsor', {
  type: 'Sponsor',
  keys,
  fields: sponsor.fields.filter((field) => field !== 'Size' && field !== 'Color').join(' '),
  paths: { sponsorImages: 'imagesAfterSave' },
  as: { isApproved, sponsorImages: listOf(sponsorImage) },
});

// Approvals and their comments (sections 2.8 and 2.9).

export const approvalComment = record('SystemApprovalComment', {
  type: 'ApprovalComment',
  keys,
  fields: 'uuid system_approval_item_uuid content date_created last_modified_date',
  paths: { date_created: 'createdAt' },
});

const itemTypes = { SPONSOR: 'USER_SPONSOR', SPONSOR_IMAGE: 'SPONSOR_IMAGE', USER_IMAGE: 'USER_IMAGE', BIOGRAPHY: 'BIOGRAPHY' };

/** ID of the user who approved an item or removed the approval, or of the platform if there was no user. */
const actorId = (action: 'approvedBy' | 'canceledBy', description: string) =>
  computed(`${action}Id ${action}PlatformId`, (approval) => approval[`${action}Id`] ?? approval[`${action}PlatformId`] ?? '', {
    type: 'string',
    description,
  });

export const approval = record('SystemApproval', {
  type: 'Approval',
  keys,
  fields: 'id itemUuid itemType dateApproved approvedByUuid dateCanceled canceledByUuid',
  as: {
    itemType: enumText(itemTypes),
    approvedByUuid: actorId('approvedBy', 'ID of the user or platform that approved the item.'),
    canceledByUuid: actorId(
      'canceledBy',
      'ID of the user or platform that removed the approval. Empty if the approval was not removed.',
    ),
  },
});

// User images and biographies (section 2.10).

const ownerNames = { firstName: 'user.firstName', lastName: 'user.lastName' };
const rejection = { dateOfRejection: 'approval.declinedAt', reasonOfRejection: 'approval.declineReason' };
const approvalCount = { totalApprovals: 'approval.given' };
const readOnlyFields = sameForFields('userUuid firstName lastName dateOfRejection reasonOfRejection', readOnly);

const imageTypes = { PROFILE: 'profileImg', COVER: 'headerImg', FEATURED: 'featuredImg', ACTION: 'actionUserImg' };

export const userImage = record('UserImage', {
  type: 'UserImage',
  input: 'UserImageInput',
  keys,
  fields: 'uuid userUuid type url dateCreated firstName lastName dateOfRejection reasonOfRejection',
  paths: { ...ownerNames, ...rejection },
  as: { ...readOnlyFields, type: enumText(imageTypes) },
});

export const pendingImage = record('PendingUserImage', {
  type: 'UserImage',
  keys,
  fields: `${userImage.fields.join(' ')} totalApprovals`,
  paths: { ...ownerNames, ...rejection, ...approvalCount },
});

export const biography = record('Biography', {
  type: 'Biography',
  input: 'BiographyInput',
  keys,
  fields: 'uuid userUuid bioText dateCreated firstName lastName dateOfRejection reasonOfRejection',
  paths: { ...ownerNames, ...rejection },
  as: readOnlyFields,
});

export const pendingBiography = record('PendingBiography', {
  type: 'Biography',
  keys,
  fields: `${biography.fields.join(' ')} totalApprovals`,
  paths: { ...ownerNames, ...rejection, ...approvalCount },
});
