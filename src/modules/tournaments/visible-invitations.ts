import type { RecordOptions } from '../../kernel/declare/options.js';

type Visible = NonNullable<RecordOptions['visible']>;

/** SQL: an invitation was sent to the address that a user has proven to be theirs. */
export const byAddress = (user: string) =>
  `r.email in (select u.email from app_user u where u.id = ${user} and u.verified_at is not null)`;

/** An invitation is seen by who invites and who is invited; platforms see all. */
export const visibleInvitations: Visible = ({ platform, user }, param) => {
  if (platform) return null;
  const me = param(user?.id ?? '');
  return `(r.inviter_id = ${me} or r.user_id = ${me} or ${byAddress(me)})`;
};
