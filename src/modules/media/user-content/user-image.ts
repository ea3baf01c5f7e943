import { enumeration } from '../../../kernel/declare/enumeration.js';
import { reject } from '../../../kernel/declare/errors.js';
import { expression } from '../../../kernel/declare/expression.js';
import { group, id, ref, text, values } from '../../../kernel/declare/fields/fields.js';
import { visitor } from '../../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { type Reported, reportedHistoryOrNow, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { publicPlayers, User } from '../../accounts/users/user.js';
import { approvableOptions } from '../approval/approvable.js';
import { ApprovalStatus } from '../approval/approval-status.js';

export const UserImageType = enumeration('UserImageType', 'Location where an image of a user is shown.', {
  PROFILE: 'Profile image.',
  COVER: 'Cover image at the top of the profile.',
  FEATURED: 'Image for pages that feature the player.',
  ACTION: 'Image that shows the player in action.',
});
export type UserImageType = keyof typeof UserImageType;

@record(
  {
    table: 'user_image',
    changeLogColumns: ['userId', 'approval.state'],
    one: 'userImage',
    many: 'userImages',
    read: [visitor],
    write: { policies: staffPolicies('USERS_PROFILES_EDITOR'), owner: 'userId' },
    person: { field: 'userId', deletesRows: true },
    audited: ['userId', 'type', 'approval.state', 'approval.declinedAt'],
    rootFields: ['one', 'many'],
    check: ({ type }, write) => type || write === 'update' || reject('input.type', 'an image type'),
    ...approvableOptions(
      'USER_IMAGE',
      (callerId, row) => expression`${row}.user_id = ${callerId}`,
      undefined,
      (caller, row) => publicPlayers(row.column('user_id'), caller, row),
    ),
  },
  'Image of a user. Users with the role CONTENT_CONFIRMER and platforms without a user token see all images. Other users see approved ones and their own. Callers with only a publishable key see only those that are approved and belong to players in public ranking points, teams or entries.',
)
export class UserImage extends TrackedRecord {
  @id('ID of the image.')
  id!: string;

  @ref(() => User, { one: 'user', many: 'images' }, 'User shown in the image.', { required: true, readOnly: true })
  userId!: string;

  @values(UserImageType, 'Location where the image is shown.', { required: true })
  type!: UserImageType;

  @text('URL of the image.')
  url!: string | null;

  @reportedHistoryOrNow()
  reported!: Reported;

  @group(() => ApprovalStatus, 'Approval status of the image.', { readOnly: true })
  approval!: ApprovalStatus;
}
