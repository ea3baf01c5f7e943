import { id, instant, ref, text } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import type { Can } from '../../kernel/declare/options.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { Platform } from '../accounts/platform.js';
import { User } from '../accounts/user.js';
import { confirmer, mayConfirm } from './confirmers.js';
import { onSeenItems, onSeenItemsThen } from './seen-items.js';

/** Who changes and deletes a comment: its author, and who confirms content. */
const ownOrConfirmed: Can = {
  reads: ['authorId'],
  allows: ({ authorId }, { caller }) => mayConfirm(caller) || (caller.user !== null && authorId === caller.user.id),
};

@record(
  {
    table: 'approval_comment',
    changesBy: ['itemId', 'authorId'],
    one: 'approvalComment',
    many: 'approvalComments',
    read: [platform, user],
    write: { by: [platform, confirmer], owner: 'authorId' },
    person: { by: 'authorId', goes: true },
    can: { update: ownOrConfirmed, delete: ownOrConfirmed },
    rootFields: ['many'],
    visible: onSeenItems,
    visibleThen: onSeenItemsThen,
  },
  'A comment on an item that waits for approval or has it. It is seen by its author and by whoever sees the item.',
)
export class ApprovalComment extends Kept {
  @id('Id of the comment.')
  id!: string;

  @text('Id of the item.', { required: true, index: true, max: 255, letters: 'exact' })
  itemId!: string;

  @text('Text of the comment, at most 65,536 characters.', { required: true, max: 65_536 })
  content!: string;

  @instant('When it was last changed.')
  modifiedAt!: string | null;

  @ref(
    () => User,
    { one: 'author', many: 'approvalComments', manyDescription: 'The comments on approvals that the user wrote.' },
    'The user who wrote it.',
  )
  authorId!: string | null;

  @ref(() => Platform, { one: 'platform' }, 'The platform that wrote it, where no user did.', { index: false })
  platformId!: string | null;
}
