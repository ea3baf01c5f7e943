import { flag, id, instant, ref, text } from '../../../kernel/declare/fields/fields.js';
import type { ActionRule } from '../../../kernel/declare/fields/options.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { Platform } from '../../accounts/platforms/platform.js';
import { User } from '../../accounts/users/user.js';
import { isCommentVisible, wasCommentVisible } from './comment-visibility.js';
import { canConfirm, confirmerPolicies } from './confirmers.js';

/** Authors can change and delete their own comments. Confirmers can change and delete all comments. Nobody can change a decline. */
const authorOrConfirmer: ActionRule = {
  columns: ['authorId', 'isDecline'],
  isAllowed: ({ authorId, isDecline }, { caller }) =>
    !isDecline && (canConfirm(caller) || (caller.user !== null && authorId === caller.user.id)),
};

@record(
  {
    table: 'approval_comment',
    changeLogColumns: ['itemId', 'authorId'],
    one: 'approvalComment',
    many: 'approvalComments',
    read: [platform, user],
    write: { policies: [platform, confirmerPolicies], owner: 'authorId' },
    person: { field: 'authorId', deletesRows: true },
    actionRules: { update: authorOrConfirmer, delete: authorOrConfirmer },
    rootFields: ['many'],
    visibleCondition: isCommentVisible,
    historyCondition: wasCommentVisible,
  },
  'Comment on an item with an approval. Visible to its author and to callers who can see the item. A decline is visible only to its author, users with the role CONTENT_CONFIRMER, and platforms without a user token.',
)
export class ApprovalComment extends TrackedRecord {
  @id('ID of the comment.')
  id!: string;

  @text('ID of the item.', { required: true, index: true, max: 255, comparison: 'exact' })
  itemId!: string;

  @text('Text of the comment, at most 65,536 characters.', { required: true, max: 65_536 })
  content!: string;

  @flag(
    'Whether the comment is the reason for a decline of the item. `declineItem` creates such a comment, which remains when the item is submitted again. It cannot be changed or deleted.',
    { readOnly: true },
  )
  isDecline!: boolean;

  @instant('When the text was last changed. Null if it was never changed.')
  modifiedAt!: string | null;

  @ref(
    () => User,
    { one: 'author', many: 'approvalComments', manyDescription: 'Approval comments that the user wrote.' },
    'Author of the comment. Null if a platform wrote it.',
  )
  authorId!: string | null;

  @ref(() => Platform, { one: 'platform' }, 'Platform that wrote the comment. Null if a user wrote it.', { index: false })
  platformId!: string | null;
}
