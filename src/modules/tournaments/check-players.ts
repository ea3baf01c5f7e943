import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { now } from '../../kernel/declare/instant.js';
import { Problems } from '../../kernel/declare/problems.js';
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
 * Refuses players for whom an event is not, naming the field, which for the partner is `partnerField`. How old a partner is shows when they confirm, to them alone: dates of birth are
 * private.
 */
export async function checkPlayers(
  context: Context,
  entered: Entered,
  me: string,
  partnerId: string | null,
  partnerField = 'partnerId',
): Promise<void> {
  const audience = audienceOf(entered.event);
  if (!audience.gender && audience.from === undefined && audience.under === undefined) return;
  const [own = unknown, partner] = await playersOf(context, partnerId === null ? [me] : [me, partnerId]);
  const problems = new Problems();
  const mine = genderRefusal(audience, [own.gender]) ?? ageRefusal(audience, own, dayOf(entered));
  if (mine) problems.add('input.eventId', `an event for which the player is: it is ${mine}`);
  const theirs = partner && (genderRefusal(audience, [partner.gender]) ?? genderRefusal(audience, [own.gender, partner.gender]));
  if (theirs && !mine) problems.add(`input.${partnerField}`, `a partner for whom the event is: it is ${theirs}`);
  problems.refuse();
}

/** Refuses a partner who confirms and for whom the event is not. */
export async function checkPartner(context: Context, entered: Entered, me: string, inviterId: string | null): Promise<void> {
  const audience = audienceOf(entered.event);
  const [own = unknown, inviter = unknown] = await playersOf(context, [me, inviterId ?? '']);
  const refusal =
    genderRefusal(audience, [own.gender]) ??
    genderRefusal({ ...audience, isDeclared: false }, [own.gender, inviter.gender]) ??
    ageRefusal(audience, own, dayOf(entered));
  if (refusal) fail('CONFLICT', `the event is ${refusal}`);
}
