import { group, id, prose, ref } from '../../kernel/declare/fields.js';
import { Kept, type Reported, reportedOrNow } from '../../kernel/declare/kept.js';
import { visitor } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { staff } from '../../kernel/declare/writers.js';
import { publicPlayers, User } from '../accounts/user.js';
import { approvable } from './approvable.js';
import { ApprovalStatus } from './approval-status.js';

@record(
  {
    table: 'biography',
    changesBy: ['userId', 'approval.state'],
    one: 'biography',
    many: 'biographies',
    read: [visitor],
    write: { by: staff('USERS_PROFILES_EDITOR'), owner: 'userId' },
    person: { by: 'userId', goes: true },
    audited: ['userId', 'approval.state', 'approval.declinedAt'],
    rootFields: ['one', 'many'],
    ...approvable(
      'BIOGRAPHY',
      (me, { row }) => `${row}.user_id = ${me}`,
      undefined,
      (caller, param) => publicPlayers(`${param.row}.user_id`, caller, param),
    ),
  },
  'A biography of a user. Visible to users with the role CONTENT_CONFIRMER and to platforms without a user token. Other users see approved ones and their own. Publishable keys see approved ones of players named by public ranking points, teams or entries.',
)
export class Biography extends Kept {
  @id('Id of the biography.')
  id!: string;

  @ref(() => User, { one: 'user', many: 'biographies' }, 'The user whose biography it is.', { readOnly: true })
  userId!: string | null;

  @prose('The biography itself.')
  text!: string | null;

  @reportedOrNow()
  reported!: Reported;

  @group(() => ApprovalStatus, 'Where it stands in its approval.', { readOnly: true })
  approval!: ApprovalStatus;
}
