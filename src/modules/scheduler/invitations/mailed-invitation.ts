import { Field, ObjectType } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { Session } from '../../../kernel/session.js';
import { formatAddress, formatStart } from '../times/format-game.js';
import { gameIdIn, matchingAddress } from './invitation-link.js';
import { type MailedGame, mailColumns } from './mail-invited.js';
import { ownerName } from './notify-invitees.js';

@ObjectType({
  description: 'Game invitation that was sent to an email address. Reading it requires the value from the link in the email.',
})
export class GameInvitation {
  @Field(() => String, { description: 'Full name of the owner of the game, or `A player` if unknown.' })
  host!: string;

  @Field(() => String, { nullable: true, description: 'Title of the game.' })
  title!: string | null;

  @Field(() => String, { nullable: true, description: 'Start of the game in its time zone, as English text.' })
  when!: string | null;

  @Field(() => String, { nullable: true, description: 'Venue and address on one line.' })
  where!: string | null;
}

export const failInvitationGone = (): never => fail('GONE', 'the invitation was declined or withdrawn, or the game was deleted');

/** Returns the invited email address for the value in an invitation link. Throws GONE if no address has this value. */
export const invitedAddress = (game: MailedGame | null, value: string): string =>
  (game && matchingAddress(game, game.invitedAddresses, value)) ?? failInvitationGone();

export const mailedInvitation = async (sql: Session, game: MailedGame): Promise<GameInvitation> => ({
  host: await ownerName(sql, game),
  title: game.title,
  when: formatStart(game) ?? null,
  where: formatAddress(game) ?? null,
});

/**
 * Reads the game that an invitation value belongs to, even if the caller cannot see the game. Throws GONE if there is no such invitation.
 */
export async function invitedGame(sql: Session, value: string): Promise<MailedGame> {
  const game = await sql.first(sql.db.selectFrom('game').select(mailColumns).where('id', '=', gameIdIn(value)));
  invitedAddress(game, value);
  return game ?? failInvitationGone();
}

/**
 * Reads an invitation, given the value in the link of its email. Throws BAD_INPUT for a malformed value, and GONE if there is no such
 * invitation.
 */
export async function readInvitation({ sql }: Context, value: string): Promise<GameInvitation> {
  // Reads from the primary, so that a declined invitation is GONE immediately.
  sql.usePrimary();
  return mailedInvitation(sql, await invitedGame(sql, value));
}
