import { Field, ObjectType } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Session } from '../../kernel/session.js';
import { gameIdIn, matchingAddress } from './invitation-link.js';
import { hostOf } from './invite.js';
import { type MailedGame, mailColumns } from './mail-invited.js';
import { sayWhen } from './say-when.js';
import { sayWhere } from './say-where.js';

@ObjectType({ description: 'An invitation by mail to a game, for the person who opens its link.' })
export class GameInvitation {
  @Field(() => String, { description: 'Full name of the owner of the game, or `A player` without one.' })
  host!: string;

  @Field(() => String, { nullable: true, description: 'Title of the game.' })
  title!: string | null;

  @Field(() => String, { nullable: true, description: 'Start of the game in its time zone, as English text.' })
  when!: string | null;

  @Field(() => String, { nullable: true, description: 'Venue and address on one line.' })
  where!: string | null;
}

export const invitationGone = (): never => fail('GONE', 'the invitation was declined or withdrawn, or the game was deleted');

/** The address that the value invites to the game. GONE without one. */
export const invitedAddress = (game: MailedGame | null, value: string): string =>
  (game && matchingAddress(game, game.invitedAddresses, value)) ?? invitationGone();

export const mailedInvitation = async (sql: Session, game: MailedGame): Promise<GameInvitation> => ({
  host: await hostOf(sql, game),
  title: game.title,
  when: sayWhen(game) ?? null,
  where: sayWhere(game) ?? null,
});

/** The game of an invitation value, whether the caller sees it or not. Throws GONE if the value invites to no game. */
export async function invitedGame(sql: Session, value: string): Promise<MailedGame> {
  const game = await sql.first(sql.db.selectFrom('game').select(mailColumns).where('id', '=', gameIdIn(value)));
  invitedAddress(game, value);
  return game ?? invitationGone();
}

/** Reads the invitation of a mail by the value in its link. */
export async function readInvitation({ sql }: Context, value: string): Promise<GameInvitation> {
  // A declined invitation is gone at once: reads from the primary.
  sql.writes();
  return mailedInvitation(sql, await invitedGame(sql, value));
}
