import { expression } from '../../../kernel/declare/expression.js';
import { group, id, longText, ref } from '../../../kernel/declare/fields/fields.js';
import { visitor } from '../../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { type Reported, reportedHistoryOrNow, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { publicPlayers, User } from '../../accounts/users/user.js';
import { approvableOptions } from '../approval/approvable.js';
import { ApprovalStatus } from '../approval/approval-status.js';

@record(
  {
    table: 'biography',
    changeLogColumns: ['userId', 'approval.state'],
    one: 'biography',
    many: 'biographies',
    read: [visitor],
    write: { policies: staffPolicies('USERS_PROFILES_EDITOR'), owner: 'userId' },
    person: { field: 'userId', deletesRows: true },
    audited: ['userId', 'approval.state', 'approval.declinedAt'],
    rootFields: ['one', 'many'],
    ...approvableOptions(
      'BIOGRAPHY',
      (callerId, row) => expression`${row}.user_id = ${callerId}`,
      undefined,
      (caller, row) => publicPlayers(row.column('user_id'), caller, row),
    ),
  },
  'Biography of a user. Users with the role CONTENT_CONFIRMER and platforms without a user token see all biographies. Other users see approved ones and their own. Callers with only a publishable key see only those that are approved and belong to players in public ranking points, teams or entries.',
)
export class Biography extends TrackedRecord {
  @id('ID of the biography.')
  id!: string;

  @ref(() => User, { one: 'user', many: 'biographies' }, 'User described by the biography.', { required: true, readOnly: true })
  userId!: string;

  @longText('Text of the biography.')
  text!: string | null;

  @reportedHistoryOrNow()
  reported!: Reported;

  @group(() => ApprovalStatus, 'Approval status of the biography.', { readOnly: true })
  approval!: ApprovalStatus;
}
