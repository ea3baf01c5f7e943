import type { RecordOptions } from '../../kernel/declare/options.js';

type Visible = NonNullable<RecordOptions['visible']>;

/** SQL: the invitation `r` was sent to the verified e-mail address of a user. */
export const byAddress = (user: string) =>
  `r.email in (select u.email from app_user u where u.id = ${user} and u.verified_at is not null)`;

/** Invitations are visible to their inviters and invitees. Platforms see all. */
export const visibleInvitations: Visible = ({ platform, user }, param) => {
  if (platform) return null;
  const me = param(user?.id ?? '');
  return `(r.inviter_id = ${me} or r.user_id = ${me} or ${byAddress(me)})`;
};
