import { expression, type RowReference, type SqlExpression, tableNamed } from '../../../kernel/declare/expression.js';
import { integerInNumber } from '../../../kernel/declare/fields/converted-fields.js';
import { flag, group, id, instant, longText, ref, text } from '../../../kernel/declare/fields/fields.js';
import { visitor } from '../../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { type Reported, reportedHistoryOrNow, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { User } from '../../accounts/users/user.js';
import { approvableOptions } from '../approval/approvable.js';
import { ApprovalStatus } from '../approval/approval-status.js';

/** Returns the SQL condition that a user owns or created the sponsor, or has a sponsorship for it. */
export const isOwnSponsor = (userId: SqlExpression, sponsor: RowReference): SqlExpression =>
  expression`(${sponsor}.user_id = ${userId} or ${sponsor}.created_by_id = ${userId}
    or exists (select from ${tableNamed('sponsorship')} l where l.sponsor_id = ${sponsor}.id and l.user_id = ${userId}))`;

const { indexes, ...approval } = approvableOptions('SPONSOR', isOwnSponsor);

@record(
  {
    table: 'sponsor',
    changeLogColumns: ['userId', 'createdById', 'approval.state'],
    one: 'sponsor',
    many: 'sponsors',
    read: [visitor],
    write: { policies: staffPolicies() },
    audited: ['userId', 'disabledAt', 'approval.state', 'approval.declinedAt'],
    rootFields: ['many'],
    order: [
      { field: 'displayOrder', direction: 'ASC' },
      { field: 'reported.createdAt', direction: 'DESC' },
    ],
    indexes: {
      ...indexes,
      title_trigram: 'using gin (nfc(title) gin_trgm_ops)',
      display_order: '(coalesce(display_order, 0), reported_created_at desc nulls last, id)',
    },
    ...approval,
  },
  'Sponsor of users. Users with the role CONTENT_CONFIRMER and platforms without a user token see all sponsors. Other callers see approved ones and their own.',
)
export class Sponsor extends TrackedRecord {
  @id('ID of the sponsor.')
  id!: string;

  @ref(
    () => User,
    { one: 'user' },
    'User who owns the sponsor. `users` lists the owner and all other users that the sponsor supports.',
  )
  userId!: string | null;

  @text('Name of the sponsor.')
  title!: string | null;

  @text('URL of the website.')
  url!: string | null;

  @longText('Description of the sponsor.')
  description!: string | null;

  @integerInNumber('Position among all sponsors, in ascending order. Null sorts like 0.', { nullSortsAs: 0 })
  displayOrder!: number | null;

  @reportedHistoryOrNow()
  reported!: Reported;

  @instant('When the sponsorship for the owner started.')
  startedAt!: string | null;

  @instant('When the sponsor was disabled. Null while it is in use.')
  disabledAt!: string | null;

  @flag('Whether this is the main sponsor of the owner.')
  isPrimary!: boolean;

  @group(() => ApprovalStatus, 'Approval status of the sponsor.', { readOnly: true })
  approval!: ApprovalStatus;
}
