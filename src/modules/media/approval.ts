import { createdAt, id, instant, ref, text, values } from '../../kernel/declare/fields.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';
import { Platform } from '../accounts/platform.js';
import { User } from '../accounts/user.js';
import { ApprovalItemType } from './approval-state.js';

@record(
  {
    table: 'approval',
    changesBy: ['itemId'],
    one: 'approval',
    many: 'approvals',
    read: [platform, user],
    write: nobodyWrites,
    audited: ['itemType', 'itemId', 'approvedById', 'approvedByPlatformId', 'canceledAt', 'canceledById', 'canceledByPlatformId'],
    rootFields: ['one', 'many'],
  },
  'An approval that a caller gave to an item; it counts until it is canceled.',
)
export class Approval {
  @id('Id of the approval.')
  id!: string;

  @values(ApprovalItemType, 'What kind of item it was given to.', { required: true })
  itemType!: ApprovalItemType;

  @text('Id of the item.', { required: true, index: true, max: 255, letters: 'exact' })
  itemId!: string;

  @createdAt('When it was given.')
  approvedAt!: string;

  @ref(
    () => User,
    { one: 'approvedBy', many: 'approvalsGiven', manyDescription: 'The approvals that the user gave.' },
    'The user who gave it.',
  )
  approvedById!: string | null;

  @ref(() => Platform, { one: 'approvedByPlatform' }, 'The platform that gave it, where no user did.', { index: false })
  approvedByPlatformId!: string | null;

  @instant('When it was canceled by unapproving.')
  canceledAt!: string | null;

  @ref(() => User, { one: 'canceledBy' }, 'The user who canceled it.', { index: false })
  canceledById!: string | null;

  @ref(() => Platform, { one: 'canceledByPlatform' }, 'The platform that canceled it, where no user did.', { index: false })
  canceledByPlatformId!: string | null;
}
