import type { RecordOptions } from '../../../kernel/declare/fields/options.js';
import type { Param } from '../../../kernel/declare/row.js';

type VisibleRows = NonNullable<RecordOptions['visibleCondition']>;

/** SQL condition that the invitation was sent to the verified e-mail address of a user. */
export const byAddress = (user: string, { row, table }: Param) =>
  `${row}.email in (select u.email from ${table('app_user')} u where u.id = ${user} and u.verified_at is not null)`;

/** SQL condition for visible invitations. Inviters and invitees see their invitations. Platforms see all. */
export const visibleInvitations: VisibleRows = ({ platform, user }, param) => {
  if (platform) return null;
  const callerId = param(user?.id ?? '');
  const { row } = param;
  return `(${row}.inviter_id = ${callerId} or ${row}.user_id = ${callerId} or ${byAddress(callerId, param)})`;
};
