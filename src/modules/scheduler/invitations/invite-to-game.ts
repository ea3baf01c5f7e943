import type { Context } from '../../../kernel/declare/context.js';
import { fail, pathIn } from '../../../kernel/declare/errors.js';
import { Problems, runAsyncChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { emailFormat } from '../../../kernel/declare/scalars/email.js';
import { saveEntity } from '../../../kernel/write/entities.js';
import { checkUsers } from '../games/check-users.js';
import type { Game } from '../games/game.js';
import { lockManagedGame } from '../games/lock-game.js';
import { distinctAddresses } from './invited-addresses.js';
import { lockAddresses } from './lock-addresses-sql.js';
import { invitationsOf, notifyInvitees } from './notify-invitees.js';

/** Maximum number of users per request, of email addresses per request, and of email addresses per game. */
const maxInvitees = 100;

function checkInvitees(userIds: readonly string[], emails: readonly string[]): void {
  const problems = new Problems();
  if (userIds.length + emails.length === 0) problems.add('userIds', 'at least one user or one e-mail address');
  if (userIds.length > maxInvitees) problems.add('userIds', `at most ${maxInvitees} ids of users`);
  if (emails.length > maxInvitees) problems.add('emails', `at most ${maxInvitees} e-mail addresses`);
  for (const [index, email] of emails.entries())
    if (!emailFormat.matches(email)) problems.add(pathIn('emails', index), emailFormat.expected);
  problems.throwIfAny();
}

/** Invites users and addresses to a game, even if they declined an earlier invitation, and notifies them. */
export function inviteToGame(
  context: Context,
  id: string,
  userIds: readonly string[],
  emails: readonly string[],
  returning: readonly string[],
): Promise<RowOf<Game>> {
  const { sql } = context;
  return sql.transaction(async () => {
    await runAsyncChecks(
      () => checkInvitees(userIds, emails),
      () => checkUsers(sql, userIds, 'userIds'),
    );
    await lockAddresses(sql, emails);
    const game = await lockManagedGame(context, id);
    if (game.archivedAt) fail('CONFLICT', 'the game is archived');
    const before = invitationsOf(game);
    const addresses = distinctAddresses(emails);
    const newEmails = emails.filter((email) => !game.invitedAddresses.includes(distinctAddresses([email])[0] ?? ''));
    game.invitedIds = [...new Set([...game.invitedIds, ...userIds])];
    game.invitedEmails = [...game.invitedEmails, ...newEmails];
    game.declinedIds = game.declinedIds.filter((userId) => !userIds.includes(userId));
    game.declinedEmails = game.declinedEmails.filter((address) => !addresses.includes(address));
    const problems = new Problems();
    if (game.invitedEmails.length > maxInvitees) problems.add('emails', `at most ${maxInvitees} invited addresses per game`);
    problems.throwIfAny();
    await sql.em.flush();
    await notifyInvitees(context, id, before);
    return saveEntity(context, game, returning);
  });
}
