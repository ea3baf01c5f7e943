import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Context, publicUrlOf } from '../../../kernel/declare/context.js';
import { reject } from '../../../kernel/declare/errors.js';

interface GameKey {
  id: string;
  invitationKey: string;
}

/** Length of an HMAC-SHA256 in base64url. */
const hmacLength = 43;

const hmacOf = ({ id, invitationKey }: GameKey, address: string): string =>
  createHmac('sha256', invitationKey).update(`${id} ${address}`).digest('base64url');

/** Returns the value for the link in an invitation email: an HMAC, followed by the ID of the game. */
const invitationValue = (game: GameKey, address: string): string =>
  `${hmacOf(game, address)}${Buffer.from(game.id).toString('base64url')}`;

/** Returns the link to the page of an invitation, which `src/pages/invitation-page.ts` serves. */
export const invitationLink = (context: Context, game: GameKey, address: string): string =>
  `${publicUrlOf(context)}/game-invitation/${invitationValue(game, address)}`;

/** Returns the game ID in an invitation value. Throws BAD_INPUT for a malformed value. */
export function gameIdIn(value: string): string {
  if (!/^[\w-]{44,512}$/.test(value)) return reject('value', 'the value at the end of the link in an invitation email');
  return Buffer.from(value.slice(hmacLength), 'base64url').toString();
}

/** Returns the address that an invitation value belongs to. Null if none of the addresses matches. */
export function matchingAddress(game: GameKey, addresses: readonly string[], value: string): string | null {
  const receivedHmac = Buffer.from(value.slice(0, hmacLength));
  return addresses.find((address) => timingSafeEqual(Buffer.from(hmacOf(game, address)), receivedHmac)) ?? null;
}
