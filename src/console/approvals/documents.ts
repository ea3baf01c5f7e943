import { graphql, type ResultOf } from 'courtside-sdk';

/** Fields that show an item as the public will see it. */
const Item = graphql(`fragment ApprovalItemParts on ApprovalItem {
  __typename
  id
  approval { id state required given declinedAt declineReason }
  viewerCan { approve }
  ... on Sponsor {
    title description url createdAt createdBy reported { createdAt }
    user { id firstName lastName }
    images(first: 6) { nodes { id url color approval { id state } } }
  }
  ... on SponsorImage { url color createdAt createdBy sponsor { id title user { id firstName lastName } } }
  ... on UserImage { url type createdAt createdBy reported { createdAt } user { id firstName lastName imageUrl } }
  ... on Biography { text createdAt createdBy reported { createdAt } user { id firstName lastName imageUrl biography { id text } } }
}`);

export type ApprovalItem = ResultOf<typeof Item>;

/** A page of items: those that need the approval of the viewer (`isMine`), or all items that match a filter. */
export const ApprovalItems = graphql(
  `query ConsoleApprovals(
    $isMine: Boolean!, $own: PendingApprovalFilter, $all: ApprovalItemFilter, $orderBy: [PendingApprovalOrder!], $after: String
  ) {
    liveCursor
    viewer @include(if: $isMine) {
      id
      pendingApprovals(first: 50, after: $after, filter: $own, orderBy: $orderBy) { ...ApprovalPage }
    }
    approvalItems(first: 50, after: $after, filter: $all, orderBy: $orderBy) @skip(if: $isMine) { ...ApprovalPage }
  }`,
  [
    graphql(
      `fragment ApprovalPage on ApprovalItemConnection {
        totalCount
        nodes { ...ApprovalItemParts }
        pageInfo { hasNextPage endCursor }
      }`,
      [Item],
    ),
  ],
);

/** An item with its history. */
export const ItemDetails = graphql(
  `query ConsoleApprovalItem($nodeId: ID!) {
    liveCursor
    node(id: $nodeId) {
      nodeId
      ... on ApprovalItem {
        ...ApprovalItemParts
        approval {
          id
          approvals(first: 50) {
            nodes {
              id approvedAt canceledAt
              approvedBy { id firstName lastName } approvedByPlatform { id title }
              canceledBy { id firstName lastName } canceledByPlatform { id title }
            }
          }
          comments(first: 100, orderBy: [{ field: CREATED_AT, direction: DESC }, { field: ID, direction: DESC }]) {
            pageInfo { hasNextPage }
            nodes { id content isDecline createdAt author { id firstName lastName } platform { id title } viewerCan { delete } }
          }
        }
      }
    }
  }`,
  [Item],
);

type Node = NonNullable<ResultOf<typeof ItemDetails>['node']>;
export type ItemHistory = Extract<Node, { approval: unknown }>['approval'];

export const ItemChanges = graphql(
  `subscription ConsoleApprovalChanges($after: String) {
    approvals(after: $after) { kind cursor isWaiting item { ...ApprovalItemParts } }
  }`,
  [Item],
);

export const ApproveItem = graphql(`mutation ConsoleApprove($id: ID!, $type: ApprovalItemType!, $viewerId: ID!) {
  approveItem(id: $id, type: $type) {
    id state required given
    item { id viewerCan { approve } }
    approvals(first: 0, filter: { approvedById: { eq: $viewerId }, canceledAt: { isNull: true } }) { totalCount }
  }
}`);

/** Cancels the viewer's approval. If `$keepsOthers` is false, cancels all approvals of the item. */
export const CancelApprovals = graphql(`mutation ConsoleTakeBack($id: ID!, $type: ApprovalItemType!, $keepsOthers: Boolean!) {
  unapproveItem(id: $id, type: $type, keepsOthers: $keepsOthers) { id state required given item { id viewerCan { approve } } }
}`);

export const DeclineItem = graphql(`mutation ConsoleDecline($id: ID!, $type: ApprovalItemType!, $reason: String!) {
  declineItem(id: $id, type: $type, reason: $reason) { id state given declinedAt declineReason item { id viewerCan { approve } } }
}`);

export const ResubmitItem = graphql(`mutation ConsoleResubmit($id: ID!, $type: ApprovalItemType!) {
  resubmitItem(id: $id, type: $type) { id state given declinedAt declineReason item { id viewerCan { approve } } }
}`);

export const AddComment = graphql(`mutation ConsoleAddComment($itemId: ID!, $content: String!) {
  createApprovalComment(itemId: $itemId, content: $content) { id }
}`);

export const DeleteComment = graphql('mutation ConsoleDeleteComment($id: ID!) { deleteApprovalComment(id: $id) { id } }');
