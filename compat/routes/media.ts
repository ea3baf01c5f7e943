import {
  bare,
  body,
  caller,
  combined,
  either,
  empty,
  list,
  path,
  payload,
  platform,
  query,
  type Route,
  required,
  result,
  routes,
  value,
} from '../engine/index.js';
import * as records from '../records/media.js';

/** Regular users see only approved sponsors. Platforms and admins see all. With both tokens, the user token determines the caller. */
const approvedOnly = caller(({ user }) => (user && !user.isSuperAdmin && !user.roles.has('ADMIN') ? 'APPROVED' : undefined));

const sponsorFilter = {
  title: { contains: query('title') },
  disabledAt: { isNull: combined((isOnlyApproved) => (isOnlyApproved ? false : undefined), query.flag('show_disabled')) },
  approvalState: {
    eq: combined(
      (only, isRequested) => only ?? (isRequested ? 'APPROVED' : undefined),
      approvedOnly,
      query.flag('show_approved'),
    ),
  },
};

const sponsors = 'query Sponsors($filter: SponsorFilter) { sponsors(filter: $filter) { totalCount nodes { ...Sponsor } } }';

/** Sponsors and their images (section 4.3, and their pending lists of 4.8). */
const sponsorRoutes = routes({
  'POST /v1/admin/sponsors': {
    auth: either,
    args: { input: payload(records.sponsor) },
    run: 'mutation CreateSponsor($input: SponsorSubmission!) { createSponsor(input: $input) { ...SavedSponsor } }',
    reply: result(records.savedSponsor),
    summary: 'Create a sponsor with its images. The roles of the caller determine how many approvals it needs.',
  },
  'PUT /v1/admin/sponsors/{uuid}': {
    auth: platform,
    actsForUser: true,
    args: { input: payload(records.sponsor, { byPath: true }) },
    run: 'mutation UpdateSponsor($uuid: ID!, $input: SponsorSubmission!) { updateSponsor(id: $uuid, input: $input) { ...SavedSponsor } }',
    reply: result(records.savedSponsor),
    summary: 'Update a sponsor. The images in the request are added or updated.',
  },
  'DELETE /v1/admin/sponsors/{uuid}': {
    auth: platform,
    run: 'mutation DeleteSponsor($uuid: ID!) { deleteSponsor(id: $uuid) { id } }',
    reply: empty,
    summary: 'Delete a sponsor and its images.',
  },
  'GET /v1/data/sponsors': {
    auth: either,
    args: { filter: sponsorFilter },
    run: sponsors,
    reply: list(records.sponsor, { total: 'totalRecords', items: 'result' }),
    summary: 'List sponsors with their images. Regular users see only approved ones.',
  },
  'GET /v1/data/sponsors/{uuid}': {
    auth: either,
    args: { state: approvedOnly },
    run: 'query Sponsor($uuid: ID!, $state: ApprovalState) { sponsor(id: $uuid, state: $state) { ...Sponsor } }',
    reply: bare(records.sponsor),
    summary: 'Get a sponsor with its images. Regular users see only approved ones.',
  },
  'POST /v1/users/{uuid}/add_sponsor/{sponsor_uuid}': {
    auth: platform,
    args: { sponsor: path('sponsor_uuid'), startedAt: body.instant('dateStartedSponsorship'), isPrimary: body.bool('isPrimary') },
    run: `mutation AddSponsor($uuid: ID!, $sponsor: ID!, $startedAt: Instant, $isPrimary: Boolean) {
      addSponsorToUser(userId: $uuid, sponsorId: $sponsor, startedAt: $startedAt, isPrimary: $isPrimary) { id } }`,
    reply: empty,
    summary: 'Add a user to a sponsor.',
  },
  'GET /v1/admin/pending_sponsors': {
    auth: platform,
    rejectsKeys: true,
    args: { filter: { approvalState: { eq: value('PENDING') } } },
    run: sponsors,
    reply: list(records.sponsor, { total: 'totalRecords', items: 'result' }),
    summary: 'List sponsors that wait for approval.',
  },
  'GET /v1/admin/pending_sponsor_images': {
    auth: platform,
    rejectsKeys: true,
    run: '{ sponsorImages(filter: { approvalState: { eq: PENDING } }) { totalCount nodes { ...SponsorImage } } }',
    reply: list(records.sponsorImage, { total: 'totalRecords', items: 'result' }),
    summary: 'List sponsor images that wait for approval.',
  },
});

/** Images and biographies of users (section 4.8). */
const userContentRoutes = routes({
  'POST /v1/users/{uuid}/image': {
    auth: platform,
    args: { input: payload(records.userImage) },
    run: 'mutation CreateImage($uuid: ID!, $input: UserImageInput!) { createUserImage(userId: $uuid, input: $input) { ...UserImage } }',
    reply: result(records.userImage),
    summary: 'Add an image of a user. It needs approval.',
  },
  'DELETE /v1/users/{uuid}/image/{image_uuid}': {
    auth: platform,
    args: { image: path('image_uuid') },
    run: 'mutation DeleteImage($uuid: ID!, $image: ID!) { deleteUserImage(userId: $uuid, id: $image) { id } }',
    reply: empty,
    summary: 'Delete an image of a user.',
  },
  'GET /v1/admin/pending_images': {
    auth: platform,
    rejectsKeys: true,
    args: { filter: { approvalState: { eq: value('PENDING') }, userId: { eq: query('user_uuid') } } },
    run: 'query PendingImages($filter: UserImageFilter) { userImages(filter: $filter) { totalCount nodes { ...PendingUserImage } } }',
    reply: list(records.pendingImage, { total: 'totalRecords' }),
    summary: 'List user images that wait for approval.',
  },
  'POST /v1/users/{uuid}/biography': {
    auth: platform,
    args: { input: payload(records.biography) },
    run: 'mutation CreateBiography($uuid: ID!, $input: BiographyInput!) { createBiography(userId: $uuid, input: $input) { ...Biography } }',
    reply: result(records.biography),
    summary: 'Add a biography of a user. It needs approval.',
  },
  'DELETE /v1/users/{uuid}/biography/{biography_uuid}': {
    auth: platform,
    args: { biography: path('biography_uuid') },
    run: 'mutation DeleteBiography($uuid: ID!, $biography: ID!) { deleteBiography(userId: $uuid, id: $biography) { id } }',
    reply: empty,
    summary: 'Delete a biography of a user.',
  },
  'GET /v1/admin/pending_biographies': {
    auth: platform,
    rejectsKeys: true,
    args: { filter: { approvalState: { eq: value('PENDING') }, userId: { eq: query('user_uuid') } } },
    run: 'query PendingBiographies($filter: BiographyFilter) { biographies(filter: $filter) { totalCount nodes { ...PendingBiography } } }',
    reply: list(records.pendingBiography, { total: 'totalRecords' }),
    summary: 'List biographies of users that wait for approval.',
  },
});

const itemTypes = { 61: 'SPONSOR', 75: 'SPONSOR_IMAGE', 76: 'USER_IMAGE', 77: 'BIOGRAPHY' };
const canBeDeclined = { 76: 'USER_IMAGE', 77: 'BIOGRAPHY' };
const itemArgs = (types: Readonly<Record<string, string>> = itemTypes) => ({
  type: path.oneOf('item_type', types),
  id: path('item_uuid'),
});

/** An operation that approves or unapproves an item. */
const approvalRoute = (mutation: string, summary: string): Route => ({
  auth: platform,
  actsForUser: true,
  args: itemArgs(),
  run: `mutation Step($type: ApprovalItemType!, $id: ID!) { ${mutation}(type: $type, id: $id) { state } }`,
  reply: empty,
  summary,
});

/** Approvals (section 4.7). Removed approvals stay in the list, with the time and the user of their removal. */
const approvalRoutes = routes({
  'GET /v1/admin/system-approvals/{item_type}/{item_uuid}': {
    auth: either,
    args: itemArgs(),
    run: `query Approvals($type: ApprovalItemType!, $id: String!) {
      approvals(filter: { itemType: { eq: $type }, itemId: { eq: $id } }) { totalCount nodes { ...SystemApproval } } }`,
    reply: list(records.approval, { total: 'totalRecords' }),
    summary: 'List the approvals of an item, newest first, including removed ones.',
  },
  'PUT /v1/admin/system-approvals/{item_type}/{item_uuid}/approve': approvalRoute(
    'approveItem',
    'Approve an item. Each caller can approve it once.',
  ),
  'PUT /v1/admin/system-approvals/{item_type}/{item_uuid}/unapprove': approvalRoute(
    'unapproveItem',
    'Remove approvals of an item. Platforms and admins remove all, other users only their own.',
  ),
  'PUT /v1/admin/system-approvals/{item_type}/{item_uuid}/decline': {
    auth: platform,
    actsForUser: true,
    args: { ...itemArgs(canBeDeclined), reason: required(payload.orText('reason_of_rejection')) },
    run: 'mutation Decline($type: ApprovalItemType!, $id: ID!, $reason: String!) { declineItem(type: $type, id: $id, reason: $reason) { state } }',
    reply: empty,
    summary: 'Decline a pending image or biography of a user, with a reason.',
  },
});

const commentFilter = { item: path('item_uuid') };
const content = required(payload.text('content'));

/** Comments on items (section 4.6). */
const commentRoutes = routes({
  'POST /v1/admin/system-approvals/{item_uuid}/comments': {
    auth: either,
    args: { ...commentFilter, content },
    run: `mutation CreateComment($item: ID!, $content: String!) {
      createApprovalComment(itemId: $item, content: $content) { ...SystemApprovalComment } }`,
    reply: result(records.approvalComment),
    summary: 'Add a comment to an item.',
  },
  'PUT /v1/admin/system-approvals/{item_uuid}/comments/{uuid}': {
    auth: either,
    args: { ...commentFilter, content },
    run: `mutation UpdateComment($uuid: ID!, $item: ID!, $content: String!) {
      updateApprovalComment(id: $uuid, itemId: $item, content: $content) { ...SystemApprovalComment } }`,
    reply: result(records.approvalComment),
    summary: 'Update a comment.',
  },
  'GET /v1/admin/system-approvals/{item_uuid}/comments': {
    auth: either,
    args: { filter: { itemId: { eq: path('item_uuid') } } },
    run: `query Comments($filter: ApprovalCommentFilter) {
      approvalComments(filter: $filter) { totalCount nodes { ...SystemApprovalComment } } }`,
    reply: list(records.approvalComment, { total: 'total_records' }),
    summary: 'List the comments on an item.',
  },
  'GET /v1/admin/system-approvals/{item_uuid}/comments/{uuid}': {
    auth: either,
    args: commentFilter,
    run: 'query Comment($uuid: ID!, $item: ID!) { approvalComment(id: $uuid, itemId: $item) { ...SystemApprovalComment } }',
    reply: bare(records.approvalComment),
    summary: 'Get a comment on an item.',
  },
  'DELETE /v1/admin/system-approvals/{item_uuid}/comments/{uuid}': {
    auth: either,
    args: commentFilter,
    run: 'mutation DeleteComment($uuid: ID!, $item: ID!) { deleteApprovalComment(id: $uuid, itemId: $item) { id } }',
    reply: empty,
    summary: 'Delete a comment.',
  },
});

/** Sponsors, user images and biographies, and their approval (sections 4.3 and 4.6 to 4.8). */
export const mediaRoutes = { ...sponsorRoutes, ...userContentRoutes, ...approvalRoutes, ...commentRoutes };
