import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { createError, fail } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { recordNamed } from '../../../kernel/declare/meta.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { nonEmptyString } from '../../../kernel/write/input-values.js';
import { update } from '../../../kernel/write/save.js';
import { eventDisplayName } from '../invitations/invite-partner.js';
import { lockPlayers } from '../players/players.js';
import { Tournament } from '../tournament.js';
import { limitRefusedPartners, refusePartner } from './limit-refused-partners.js';
import type { EntryTarget } from './lock-event.js';
import { arePartnersIn, entryOfPartner } from './partner-entries.js';
import { registrationRefusal } from './registration-refusal.js';

/** Whether the caller may create an entry for another player, who must be their partner in the event. */
export const isEntryForPartner = async (values: Values, context: Context): Promise<boolean> =>
  (await entryOfPartner(context.sql, onBehalfOf(context, null), values)) !== null;

/** Whether the caller may create a registration for another player, who must be their partner in an event of the tournament. */
export async function isRegistrationForPartner({ tournamentId, userId }: Values, context: Context): Promise<boolean> {
  const [tournament, player] = [nonEmptyString(tournamentId), nonEmptyString(userId)];
  return tournament && player ? arePartnersIn(context.sql, tournament, [onBehalfOf(context, null), player]) : false;
}

async function notifyPartner(context: Context, partnerId: string, action: string, tournament: Tournament | null): Promise<void> {
  const { caller, sql, services } = context;
  await services.notify(sql, [partnerId], {
    event: 'PARTNER_ENTERED',
    content: `${caller.user?.name || 'Your partner'} has ${action}. Withdraw if you do not want to play.`,
    ...(tournament ? { subject: { kind: 'TOURNAMENT', id: tournament.id } as const } : {}),
  });
}

/**
 * Links the caller's entry with the entry that the caller creates for the partner, and notifies the partner. Returns the values that link
 * the new entry.
 */
export async function linkPartner(context: Context, values: Values, target: EntryTarget | null): Promise<Values> {
  const callerId = onBehalfOf(context, null);
  const id = nonEmptyString(values.id) ?? uuidv7();
  const partnerId = String(values.userId);
  const ownEntryId =
    (await entryOfPartner(context.sql, callerId, values)) ??
    fail('FORBIDDEN', 'input.userId: only the id of the partner is allowed');
  await update(context, recordNamed('EventRegistration'), ownEntryId, {}, ['id'], { partnerId, partnerRegistrationId: id });
  await notifyPartner(
    context,
    partnerId,
    `entered ${target ? eventDisplayName(target) : 'an event'} with you`,
    target?.tournament ?? null,
  );
  return { id, partnerId: callerId, partnerRegistrationId: ownEntryId };
}

/** Reads a tournament. Throws NOT_FOUND if the tournament does not exist, and CONFLICT if registration is not open. */
async function openTournament({ sql }: Context, id: string): Promise<Tournament> {
  const tournament = (await sql.em.findOne(Tournament, { id })) ?? fail('NOT_FOUND', `no tournament with the id ${id}`);
  const refusal = registrationRefusal({ isCanceled: false }, tournament);
  if (refusal) fail('CONFLICT', refusal);
  return tournament;
}

/**
 * Checks a registration that a player creates for themselves or for the partner, and notifies the partner. Throws NOT_FOUND if the
 * tournament does not exist, and CONFLICT if registration is not open or the partner is already registered. Refused partners count toward
 * the limit of `limitRefusedPartners`.
 */
export async function registerPlayer(values: Values, context: Context): Promise<Values> {
  const userId = nonEmptyString(values.userId);
  const partnerId = userId === onBehalfOf(context, null) ? null : userId;
  const tournamentId = nonEmptyString(values.tournamentId);
  await limitRefusedPartners(context, partnerId !== null, async () => {
    const tournament = tournamentId === null ? null : await openTournament(context, tournamentId);
    if (partnerId !== null) await registerPartner(context, partnerId, tournamentId, tournament);
  });
  return {};
}

async function registerPartner(
  context: Context,
  partnerId: string,
  tournamentId: string | null,
  tournament: Tournament | null,
): Promise<void> {
  const { sql } = context;
  await lockPlayers(sql, [partnerId]);
  const registration = await sql.first(
    sql.db
      .selectFrom('registration')
      .select('id')
      .where('tournament_id', '=', tournamentId)
      .where('user_id', '=', partnerId)
      .limit(1),
  );
  if (registration) refusePartner(createError('CONFLICT', 'the partner is already registered for this tournament'));
  await notifyPartner(context, partnerId, `registered you for ${tournament?.title || 'a tournament'}`, tournament);
}
