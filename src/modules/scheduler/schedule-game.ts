import { z } from 'zod';
import type { Context } from '../../kernel/context.js';
import { reject } from '../../kernel/errors.js';
import { create } from '../../kernel/save.js';
import type { Row } from '../../kernel/sql.js';
import { Game } from './game.js';
import { invite } from './invite.js';

/** Keeps one request from writing to half the world. */
const mostAddresses = 100;
const addresses = z.array(z.email().max(254)).max(mostAddresses);

/** A user schedules games of their own; a platform says for whom, unless a user token does (decision 32). */
function ownerOf({ caller: { platform, user } }: Context, ownerId: unknown): string {
  const named = platform && typeof ownerId === 'string' && ownerId !== '' ? ownerId : null;
  return named ?? user?.id ?? reject('input.ownerId', 'the id of a user, because no user token says whose game it is');
}

function checkAddresses(invitedEmails: unknown): void {
  const { error } = addresses.safeParse(invitedEmails ?? []);
  if (!error) return;
  const [index] = error.issues[0]?.path ?? [];
  if (typeof index !== 'number') reject('input.invitedEmails', `at most ${mostAddresses} e-mail addresses`);
  reject(`input.invitedEmails.${index}`, 'an e-mail address such as ana@example.com');
}

/** Schedules a game; its invitations leave in the same transaction. */
export function scheduleGame(context: Context, { ownerId: named, ...input }: Row, returning: readonly string[]): Promise<Row> {
  const ownerId = ownerOf(context, named);
  checkAddresses(input.invitedEmails);
  return context.sql.transaction(async () => {
    const game = await create(context, Game, input, returning, { ownerId });
    await invite(context, String(game.id));
    return game;
  });
}
