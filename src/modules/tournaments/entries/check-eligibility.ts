import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import { badInputError, fail, reject } from '../../../kernel/declare/errors.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { ageRefusal, eligibilityRulesOf, genderRefusal, type PlayerProfile, unknownPlayer } from './eligibility.js';
import { refusePartner } from './limit-refused-partners.js';
import type { EntryTarget } from './lock-event.js';

async function playersOf({ sql }: Context, ids: readonly string[]): Promise<PlayerProfile[]> {
  const players = await sql.run(
    sql.db.selectFrom('app_user').select(['id', 'gender', 'date_of_birth as dateOfBirth']).where(raw<SqlBool>`id = any(${ids})`),
  );
  return ids.map((id) => players.find((player) => player.id === id) ?? unknownPlayer);
}

/** Returns the time at which players must have the required age: the start of the event, or else of the tournament. */
const startOf = ({ event, tournament }: EntryTarget) => ({
  instant: event.startsAt ?? tournament.startsAt ?? now(),
  timeZone: tournament.timeZone,
});

/**
 * Throws BAD_INPUT if a player does not meet the gender or age rules of the event. The error names `eventId` or `partnerField` below
 * `path`. A partner's age is checked only when the partner confirms, because dates of birth are private.
 */
export function checkEligible(
  target: EntryTarget,
  player: PlayerProfile,
  partner: PlayerProfile | null,
  { path = 'input', partnerField = 'partnerId' }: { path?: string; partnerField?: string } = {},
): void {
  const audience = eligibilityRulesOf(target.event);
  const playerRefusal = genderRefusal(audience, [player.gender]) ?? ageRefusal(audience, player, startOf(target));
  if (playerRefusal) reject(`${path}.eventId`, `an event that the player is eligible for: this event is ${playerRefusal}`);
  const partnerRefusal =
    partner && (genderRefusal(audience, [partner.gender]) ?? genderRefusal(audience, [player.gender, partner.gender]));
  const field = `${path}.${partnerField}`;
  if (partnerRefusal)
    refusePartner(badInputError([{ field, expected: `a partner who can enter the event: it is ${partnerRefusal}` }]));
}

/** Reads the players and calls `checkEligible`, unless the event is open to everyone. */
export async function checkPlayers(
  context: Context,
  target: EntryTarget,
  callerId: string,
  partnerId: string | null,
  partnerField = 'partnerId',
): Promise<void> {
  const { gender, from, under } = eligibilityRulesOf(target.event);
  if (!gender && from === undefined && under === undefined) return;
  const [player = unknownPlayer, partner = null] = await playersOf(
    context,
    partnerId === null ? [callerId] : [callerId, partnerId],
  );
  checkEligible(target, player, partner, { partnerField });
}

/** Throws CONFLICT if a partner who confirms an invitation is not eligible for the event. */
export async function checkPartner(
  context: Context,
  target: EntryTarget,
  callerId: string,
  inviterId: string | null,
): Promise<void> {
  const audience = eligibilityRulesOf(target.event);
  const [player = unknownPlayer, inviter = unknownPlayer] = await playersOf(context, [callerId, inviterId ?? '']);
  const refusal =
    genderRefusal(audience, [player.gender]) ??
    genderRefusal({ ...audience, isFromPlayerGroup: false }, [player.gender, inviter.gender]) ??
    ageRefusal(audience, player, startOf(target));
  if (refusal) fail('CONFLICT', `the event is ${refusal}`);
}
