import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Values } from '../../kernel/declare/options.js';
import { isStrangersEntry, isStrangersPartner, isStrangersTeam } from './strangers-sql.js';

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const refuse = (name: string, expected: string): never => {
  const field = `input.${name}`;
  return fail('FORBIDDEN', `${field}: only ${expected}`, { field });
};

/** Players hang their entry on a registration of their own: FORBIDDEN for that of somebody else. */
async function checkRegistration({ registrationId }: Values, { sql }: Context, player: string): Promise<void> {
  if (typeof registrationId !== 'string') return;
  const found = await sql.first(sql.db.selectFrom('registration').select('user_id as owner').where('id', '=', registrationId));
  if (found?.owner && found.owner !== player) refuse('registrationId', 'a registration of the same player');
}

/**
 * Players who enter an event say of themselves only: FORBIDDEN for the registration or the team of others, and for a partner who plays with
 * somebody else. What is not there yet may come.
 */
export async function checkEntry(values: Values, context: Context, mayEnterAll: boolean): Promise<void> {
  if (mayEnterAll) return;
  const { caller, sql } = context;
  const player = textIn(values.userId) ?? caller.user?.id ?? '';
  await checkRegistration(values, context, player);
  const [teamId, entryId, partnerId] = [values.teamId, values.partnerRegistrationId, values.partnerId].map(textIn);
  if (teamId && (await isStrangersTeam(sql, teamId, player))) refuse('teamId', 'a team of the same player');
  if (entryId && (await isStrangersEntry(sql, entryId, player)))
    refuse('partnerRegistrationId', 'the entry of somebody who plays with nobody else');
  const event = { id: textIn(values.id), eventId: textIn(values.eventId) };
  if (partnerId && (await isStrangersPartner(sql, partnerId, player, event)))
    refuse('partnerId', 'somebody who plays with nobody else in the event');
}
