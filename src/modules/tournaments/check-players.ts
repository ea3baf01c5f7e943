import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { badInput, fail, reject } from '../../kernel/declare/errors.js';
import { now } from '../../kernel/declare/instant.js';
import { refusePartner } from './limit-partners.js';
import type { Entered } from './open-event.js';
import { ageRefusal, audienceOf, type Entering, genderRefusal } from './who-may-play.js';

const unknown: Entering = { gender: null, dateOfBirth: null };

async function playersOf({ sql }: Context, ids: readonly string[]): Promise<Entering[]> {
  const found = await sql.run(
    sql.db.selectFrom('app_user').select(['id', 'gender', 'date_of_birth as dateOfBirth']).where(raw<SqlBool>`id = any(${ids})`),
  );
  return ids.map((id) => found.find((other) => other.id === id) ?? unknown);
}

/** On which day players have to have the age for an event. */
const dayOf = ({ event, tournament }: Entered): string => event.startsAt ?? tournament.startsAt ?? now();

/**
 * BAD_INPUT if a player does not meet the gender or age rules of the event. The problem names `eventId` or `partnerField` below `path`. The age
 * of a partner is checked when they confirm, because dates of birth are private.
 */
export function checkEligible(
  entered: Entered,
  own: Entering,
  partner: Entering | null,
  { path = 'input', partnerField = 'partnerId' }: { path?: string; partnerField?: string } = {},
): void {
  const audience = audienceOf(entered.event);
  const mine = genderRefusal(audience, [own.gender]) ?? ageRefusal(audience, own, dayOf(entered));
  if (mine) reject(`${path}.eventId`, `an event that the player can enter: it is ${mine}`);
  const theirs = partner && (genderRefusal(audience, [partner.gender]) ?? genderRefusal(audience, [own.gender, partner.gender]));
  const field = `${path}.${partnerField}`;
  if (theirs) refusePartner(badInput([{ field, expected: `a partner who can enter the event: it is ${theirs}` }]));
}

/** Reads the players and calls `checkEligible`, unless the event is open to everyone. */
export async function checkPlayers(
  context: Context,
  entered: Entered,
  me: string,
  partnerId: string | null,
  partnerField = 'partnerId',
): Promise<void> {
  const { gender, from, under } = audienceOf(entered.event);
  if (!gender && from === undefined && under === undefined) return;
  const [own = unknown, partner = null] = await playersOf(context, partnerId === null ? [me] : [me, partnerId]);
  checkEligible(entered, own, partner, { partnerField });
}

/** Rejects a partner who confirms the invitation but is not eligible for the event. */
export async function checkPartner(context: Context, entered: Entered, me: string, inviterId: string | null): Promise<void> {
  const audience = audienceOf(entered.event);
  const [own = unknown, inviter = unknown] = await playersOf(context, [me, inviterId ?? '']);
  const refusal =
    genderRefusal(audience, [own.gender]) ??
    genderRefusal({ ...audience, isDeclared: false }, [own.gender, inviter.gender]) ??
    ageRefusal(audience, own, dayOf(entered));
  if (refusal) fail('CONFLICT', `the event is ${refusal}`);
}
