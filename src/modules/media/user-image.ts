import { registerEnumType } from 'type-graphql';
import { reject } from '../../kernel/declare/errors.js';
import { group, id, ref, text, values } from '../../kernel/declare/fields.js';
import { Kept, type Reported, reportedOrNow } from '../../kernel/declare/kept.js';
import { visitor } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { staff } from '../../kernel/declare/writers.js';
import { publicPlayers, User } from '../accounts/user.js';
import { approvable } from './approvable.js';
import { ApprovalStatus } from './approval-status.js';

export const UserImageType = { PROFILE: 'PROFILE', COVER: 'COVER', FEATURED: 'FEATURED', ACTION: 'ACTION' } as const;
export type UserImageType = keyof typeof UserImageType;
registerEnumType(UserImageType, {
  name: 'UserImageType',
  description: 'Where an image of a user is shown.',
  valuesConfig: {
    PROFILE: { description: 'As the profile image.' },
    COVER: { description: 'At the head of the profile.' },
    FEATURED: { description: 'Where the player is featured.' },
    ACTION: { description: 'Among the images of the player in action.' },
  },
});

@record(
  {
    table: 'user_image',
    changesBy: ['userId', 'approval.state'],
    one: 'userImage',
    many: 'userImages',
    read: [visitor],
    write: { by: staff('USERS_PROFILES_EDITOR'), owner: 'userId' },
    person: { by: 'userId', goes: true },
    audited: ['userId', 'type', 'approval.state', 'approval.declinedAt'],
    rootFields: ['one', 'many'],
    check: ({ type }, write) => type || write === 'update' || reject('input.type', 'a type of image'),
    ...approvable(
      'USER_IMAGE',
      (me, { row }) => `${row}.user_id = ${me}`,
      undefined,
      (caller, param) => publicPlayers(`${param.row}.user_id`, caller, param),
    ),
  },
  'An image of a user. Visible to users with the role CONTENT_CONFIRMER and to platforms without a user token. Other users see approved ones and their own. Publishable keys see approved ones of players named by public ranking points, teams or entries.',
)
export class UserImage extends Kept {
  @id('Id of the image.')
  id!: string;

  @ref(() => User, { one: 'user', many: 'images' }, 'The user whose image it is.', { readOnly: true })
  userId!: string | null;

  @values(UserImageType, 'Where it is shown.', { required: true })
  type!: UserImageType;

  @text('URL of the image.')
  url!: string | null;

  @reportedOrNow()
  reported!: Reported;

  @group(() => ApprovalStatus, 'Where it stands in its approval.', { readOnly: true })
  approval!: ApprovalStatus;
}
