import { Field, ObjectType } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { Session } from '../../../kernel/session.js';
import { formatAddress } from '../times/format-address.js';
import { formatStart } from '../times/format-start.js';
import { gameIdIn, matchingAddress } from './invitation-link.js';
import { ownerName } from './invite.js';
import { type MailedGame, mailColumns } from './mail-invited.js';

@ObjectType({ description: 'Invitation to a game by mail, as everyone with its link sees it.' })
export class GameInvitation {
  @Field(() => String, { description: 'Full name of the owner of the game. `A player` if there is no name.' })
  host!: string;

  @Field(() => String, { nullable: true, description: 'Title of the game.' })
  title!: string | null;

  @Field(() => String, { nullable: true, description: 'Start of the game in its time zone, as English text.' })
  when!: string | null;

  @Field(() => String, { nullable: true, description: 'Venue and address on one line.' })
  where!: string | null;
}

export const invitationGone = (): never => fail('GONE', 'the invitation was declined or withdrawn, or the game was deleted');

/** The invited address that the value belongs to. GONE if there is no such address. */
export const invitedAddress = (game: MailedGame | null, value: string): string =>
  (game && matchingAddress(game, game.invitedAddresses, value)) ?? invitationGone();

export const mailedInvitation = async (sql: Session, game: MailedGame): Promise<GameInvitation> => ({
  host: await ownerName(sql, game),
  title: game.title,
  when: formatStart(game) ?? null,
  where: formatAddress(game) ?? null,
});

/** The game of an invitation value, even if the caller may not see the game. GONE if the value invites to no game. */
export async function invitedGame(sql: Session, value: string): Promise<MailedGame> {
  const game = await sql.first(sql.db.selectFrom('game').select(mailColumns).where('id', '=', gameIdIn(value)));
  invitedAddress(game, value);
  return game ?? invitationGone();
}

/** Reads an invitation by the value in the link of its mail. */
export async function readInvitation({ sql }: Context, value: string): Promise<GameInvitation> {
  // Reads from the primary, so that a declined invitation is GONE immediately.
  sql.usePrimary();
  return mailedInvitation(sql, await invitedGame(sql, value));
}
