import {
  body,
  caller,
  computedFrom,
  declareRoutes,
  empty,
  type LegacyRecord,
  list,
  path,
  payload,
  platform,
  platformOrUser,
  query,
  type Route,
  recordAlone,
  required,
  result,
  value,
} from '../engine/index.js';
import * as records from '../records/media.js';
import { createRoute, deleteRoute, listRoute, updateRoute } from './record-routes.js';

/**
 * Required approval state: `APPROVED` for users who are neither admins nor super admins, even if the request also has a platform token.
 * Undefined for other callers.
 */
const requiredApprovalState = caller(({ user }) =>
  user && !user.isSuperAdmin && !user.roles.has('ADMIN') ? 'APPROVED' : undefined,
);

const sponsorFilter = {
  title: { contains: query('title') },
  disabledAt: { isNull: computedFrom((isDisabledOnly) => (isDisabledOnly ? false : undefined), query.flag('show_disabled')) },
  approvalState: {
    eq: computedFrom(
      (state, isApprovedOnly) => state ?? (isApprovedOnly ? 'APPROVED' : undefined),
      requiredApprovalState,
      query.flag('show_approved'),
    ),
  },
};

const sponsorList = list(records.sponsor, { total: 'totalRecords', items: 'result' });

/** Routes for sponsors and their images (section 4.3), and lists of pending sponsors and images (section 4.8). */
const sponsorRoutes = declareRoutes({
  'POST /v1/admin/sponsors': createRoute(
    records.sponsor,
    'Create a sponsor with its images. The roles of the caller determine how many approvals the sponsor needs.',
    { auth: platformOrUser, reply: result(records.savedSponsor) },
  ),
  'PUT /v1/admin/sponsors/{uuid}': updateRoute(records.sponsor, 'Update a sponsor. Images in the request are added or updated.', {
    actsForUser: true,
    reply: result(records.savedSponsor),
  }),
  'DELETE /v1/admin/sponsors/{uuid}': deleteRoute('Sponsor', 'Delete a sponsor and its images.'),
  'GET /v1/data/sponsors': listRoute(
    'sponsors',
    sponsorList,
    'List sponsors with their images. Users who are not admins see only approved sponsors.',
    {
      auth: platformOrUser,
      args: { filter: sponsorFilter },
    },
  ),
  'GET /v1/data/sponsors/{uuid}': {
    auth: platformOrUser,
    args: { state: requiredApprovalState },
    operation: 'query ($uuid: ID!, $state: ApprovalState) { sponsor(id: $uuid, state: $state) { ...Sponsor } }',
    reply: recordAlone(records.sponsor),
    summary: 'Get a sponsor with its images. Users who are not admins see only approved sponsors.',
  },
  'POST /v1/users/{uuid}/add_sponsor/{sponsor_uuid}': {
    auth: platform,
    args: { sponsor: path('sponsor_uuid'), startedAt: body.instant('dateStartedSponsorship'), isPrimary: body.bool('isPrimary') },
    operation: `mutation ($uuid: ID!, $sponsor: ID!, $startedAt: Instant, $isPrimary: Boolean) {
      addSponsorToUser(userId: $uuid, sponsorId: $sponsor, startedAt: $startedAt, isPrimary: $isPrimary) { id } }`,
    reply: empty,
    summary: 'Add a sponsor to a user.',
  },
  'GET /v1/admin/pending_sponsors': listRoute('sponsors', sponsorList, 'List sponsors that are pending approval.', {
    rejectsKeys: true,
    args: { filter: { approvalState: { eq: value('PENDING') } } },
  }),
  'GET /v1/admin/pending_sponsor_images': {
    auth: platform,
    rejectsKeys: true,
    operation: '{ sponsorImages(filter: { approvalState: { eq: PENDING } }) { totalCount nodes { ...SponsorImage } } }',
    reply: list(records.sponsorImage, { total: 'totalRecords', items: 'result' }),
    summary: 'List sponsor images that are pending approval.',
  },
});

/** Returns a route that lists the items that await approval, optionally only the items of one user. */
const pendingRoute = (rootField: string, record: LegacyRecord, summary: string): Route =>
  listRoute(rootField, list(record, { total: 'totalRecords' }), summary, {
    rejectsKeys: true,
    args: { filter: { approvalState: { eq: value('PENDING') }, userId: { eq: query('user_uuid') } } },
  });

/** Routes for images and biographies of users (section 4.8). */
const userContentRoutes = declareRoutes({
  'POST /v1/users/{uuid}/image': {
    auth: platform,
    args: { input: payload(records.userImage) },
    operation:
      'mutation ($uuid: ID!, $input: UserImageInput!) { createUserImage(userId: $uuid, input: $input) { ...UserImage } }',
    reply: result(records.userImage),
    summary: 'Add a user image, which needs approval.',
  },
  'DELETE /v1/users/{uuid}/image/{image_uuid}': {
    auth: platform,
    args: { image: path('image_uuid') },
    operation: 'mutation ($uuid: ID!, $image: ID!) { deleteUserImage(userId: $uuid, id: $image) { id } }',
    reply: empty,
    summary: 'Delete a user image.',
  },
  'GET /v1/admin/pending_images': pendingRoute('userImages', records.pendingImage, 'List user images that are pending approval.'),
  'POST /v1/users/{uuid}/biography': {
    auth: platform,
    args: { input: payload(records.biography) },
    operation:
      'mutation ($uuid: ID!, $input: BiographyInput!) { createBiography(userId: $uuid, input: $input) { ...Biography } }',
    reply: result(records.biography),
    summary: 'Add a user biography, which needs approval.',
  },
  'DELETE /v1/users/{uuid}/biography/{biography_uuid}': {
    auth: platform,
    args: { biography: path('biography_uuid') },
    operation: 'mutation ($uuid: ID!, $biography: ID!) { deleteBiography(userId: $uuid, id: $biography) { id } }',
    reply: empty,
    summary: 'Delete a user biography.',
  },
  'GET /v1/admin/pending_biographies': pendingRoute(
    'biographies',
    records.pendingBiography,
    'List user biographies that are pending approval.',
  ),
});

const itemTypes = { 61: 'SPONSOR', 75: 'SPONSOR_IMAGE', 76: 'USER_IMAGE', 77: 'BIOGRAPHY' };
const canBeDeclined = { 76: 'USER_IMAGE', 77: 'BIOGRAPHY' };
const itemArgs = (types: Readonly<Record<string, string>> = itemTypes) => ({
  type: path.oneOf('item_type', types),
  id: path('item_uuid'),
});

/** Returns a route that runs `approveItem` or `unapproveItem`. */
const approvalRoute = (mutation: string, summary: string): Route => ({
  auth: platform,
  actsForUser: true,
  args: itemArgs(),
  operation: `mutation ($type: ApprovalItemType!, $id: ID!) { ${mutation}(type: $type, id: $id) { state } }`,
  reply: empty,
  summary,
});

/**
 * Routes for approvals (section 4.7). Lists include removed approvals, with the time of the removal and the ID of the user or platform that
 * removed them.
 */
const approvalRoutes = declareRoutes({
  'GET /v1/admin/system-approvals/{item_type}/{item_uuid}': {
    auth: platformOrUser,
    args: itemArgs(),
    operation: `query ($type: ApprovalItemType!, $id: String!) {
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
    'Remove approvals from an item. Platforms and admins remove all approvals. Other users remove only their own.',
  ),
  'PUT /v1/admin/system-approvals/{item_type}/{item_uuid}/decline': {
    auth: platform,
    actsForUser: true,
    args: { ...itemArgs(canBeDeclined), reason: required(payload.orText('reason_of_rejection')) },
    operation:
      'mutation ($type: ApprovalItemType!, $id: ID!, $reason: String!) { declineItem(type: $type, id: $id, reason: $reason) { state } }',
    reply: empty,
    summary: 'Decline a pending image or biography of a user, with a reason.',
  },
});

const itemArg = { item: path('item_uuid') };
const content = required(payload.text('content'));

/** Routes for comments on items (section 4.6). */
const commentRoutes = declareRoutes({
  'POST /v1/admin/system-approvals/{item_uuid}/comments': {
    auth: platformOrUser,
    args: { ...itemArg, content },
    operation: `mutation ($item: ID!, $content: String!) {
      createApprovalComment(itemId: $item, content: $content, acceptsLegacyValues: true) { ...SystemApprovalComment } }`,
    reply: result(records.approvalComment),
    summary: 'Add a comment to an item.',
  },
  'PUT /v1/admin/system-approvals/{item_uuid}/comments/{uuid}': {
    auth: platformOrUser,
    args: { ...itemArg, content },
    operation: `mutation ($uuid: ID!, $item: ID!, $content: String!) {
      updateApprovalComment(id: $uuid, itemId: $item, content: $content, acceptsLegacyValues: true) { ...SystemApprovalComment } }`,
    reply: result(records.approvalComment),
    summary: 'Update a comment.',
  },
  'GET /v1/admin/system-approvals/{item_uuid}/comments': {
    auth: platformOrUser,
    args: { filter: { itemId: { eq: path('item_uuid') }, isDecline: value(false) } },
    operation: `query ($filter: ApprovalCommentFilter) {
      approvalComments(filter: $filter) { totalCount nodes { ...SystemApprovalComment } } }`,
    reply: list(records.approvalComment, { total: 'total_records' }),
    summary: 'List the comments on an item.',
  },
  'GET /v1/admin/system-approvals/{item_uuid}/comments/{uuid}': {
    auth: platformOrUser,
    args: itemArg,
    operation: 'query ($uuid: ID!, $item: ID!) { approvalComment(id: $uuid, itemId: $item) { ...SystemApprovalComment } }',
    reply: recordAlone(records.approvalComment),
    summary: 'Get a comment on an item.',
  },
  'DELETE /v1/admin/system-approvals/{item_uuid}/comments/{uuid}': {
    auth: platformOrUser,
    args: itemArg,
    operation: 'mutation ($uuid: ID!, $item: ID!) { deleteApprovalComment(id: $uuid, itemId: $item) { id } }',
    reply: empty,
    summary: 'Delete a comment.',
  },
});

/** Routes for sponsors, user images and biographies, and their approval (sections 4.3 and 4.6 to 4.8). */
export const mediaRoutes = { ...sponsorRoutes, ...userContentRoutes, ...approvalRoutes, ...commentRoutes };
