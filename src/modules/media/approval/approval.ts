import { createdAt, id, instant, ref, text, values } from '../../../kernel/declare/fields/fields.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { Platform } from '../../accounts/platforms/platform.js';
import { User } from '../../accounts/users/user.js';
import { ApprovalItemType } from './approval-status.js';

@record(
  {
    table: 'approval',
    changeLogColumns: ['itemId'],
    one: 'approval',
    many: 'approvals',
    read: [platform, user],
    write: noWriters,
    audited: ['itemType', 'itemId', 'approvedById', 'approvedByPlatformId', 'canceledAt', 'canceledById', 'canceledByPlatformId'],
    rootFields: ['one', 'many'],
  },
  'Approval of an item by a caller. It counts until it is canceled.',
)
export class Approval {
  @id('ID of the approval.')
  id!: string;

  @values(ApprovalItemType, 'Type of the item.', { required: true })
  itemType!: ApprovalItemType;

  @text('ID of the item.', { required: true, index: true, max: 255, comparison: 'exact' })
  itemId!: string;

  @createdAt('When the item was approved.')
  approvedAt!: string;

  @ref(
    () => User,
    { one: 'approvedBy', many: 'approvalsGiven', manyDescription: 'Approvals by the user.' },
    'User who approved the item. Null if a platform approved it.',
  )
  approvedById!: string | null;

  @ref(() => Platform, { one: 'approvedByPlatform' }, 'Platform that approved the item. Null if a user approved it.', {
    index: false,
  })
  approvedByPlatformId!: string | null;

  @instant('When the approval was canceled. Null while the approval counts.')
  canceledAt!: string | null;

  @ref(
    () => User,
    { one: 'canceledBy' },
    'User who canceled the approval. Null if a platform canceled it, or if the approval still counts.',
    {
      index: false,
    },
  )
  canceledById!: string | null;

  @ref(
    () => Platform,
    { one: 'canceledByPlatform' },
    'Platform that canceled the approval. Null if a user canceled it, or if the approval still counts.',
    { index: false },
  )
  canceledByPlatformId!: string | null;
}
