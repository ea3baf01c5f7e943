import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { badInputError, createError, fail, reject } from '../../../kernel/declare/errors.js';
import type { Values, WriteKind } from '../../../kernel/declare/fields/options.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { nonEmptyString } from '../../../kernel/write/input-values.js';
import { create } from '../../../kernel/write/save.js';
import { entryStatuses } from '../choices.js';
import { hasEntry, lockPlayers } from '../players/players.js';
import { checkPlayers } from './check-eligibility.js';
import { partnerEnteredMessage } from './check-entries.js';
import { eligibilityRulesOf } from './eligibility.js';
import { linkPartner } from './enter-partner.js';
import { limitRefusedPartners, refusePartner } from './limit-refused-partners.js';
import { checkCapacity, checkRegistrationOpen, type EntryTarget, lockEvent } from './lock-event.js';
import { sharesPlace } from './occupied-places-sql.js';
import { entryHasOtherPartner, playerHasOtherPartner } from './other-partners-sql.js';
import { Registration } from './registration.js';

const registeredStatus = entryStatuses.conversion.toStored('REGISTERED');
const occupyingStatuses = [registeredStatus, entryStatuses.conversion.toStored('INVITED')].map(Number);

const refusal = (name: string, expected: string) => {
  const field = `input.${name}`;
  return createError('FORBIDDEN', `${field}: only ${expected}`, { field });
};

const refuse = (name: string, expected: string): never => {
  throw refusal(name, expected);
};

/**
 * Checks the partner of an entry. Throws FORBIDDEN if the partner plays with another player in the event. Refused partners count toward the
 * limit of `limitRefusedPartners`.
 */
export function checkPartnerOfEntry(values: Values, context: Context, write: WriteKind): Promise<void> {
  const hasPartner = [values.partnerRegistrationId, values.partnerId].some((id) => nonEmptyString(id) !== null);
  return limitRefusedPartners(context, hasPartner, () => checkNamedPartner(values, context, write));
}

async function checkNamedPartner(values: Values, context: Context, write: WriteKind): Promise<void> {
  const { caller, sql } = context;
  const player = nonEmptyString(values.userId) ?? caller.user?.id ?? '';
  const [entryId, partnerId] = [values.partnerRegistrationId, values.partnerId].map(nonEmptyString);
  if (entryId && (await entryHasOtherPartner(sql, entryId, player)))
    refusePartner(refusal('partnerRegistrationId', 'the entry of a player without another partner'));
  const event = { id: nonEmptyString(values.id), eventId: nonEmptyString(values.eventId) };
  if (partnerId && (await playerHasOtherPartner(sql, partnerId, player, event)))
    refusePartner(refusal('partnerId', 'a player without another partner in the event'));
  const canExist = write !== 'create';
  if (canExist && event.id && values.partnerId !== undefined)
    await checkPartnerChange(context, event.id, player, partnerId ?? null);
}

/**
 * Checks the new partner of an existing entry by the rules of `registerTeam`. Throws CONFLICT if the current partners share one place and
 * the event has no second place for them.
 */
async function checkPartnerChange(context: Context, id: string, player: string, partnerId: string | null): Promise<void> {
  const { sql } = context;
  const entry = await sql.first(
    sql.db
      .selectFrom('event_registration as r')
      .innerJoin('tournament_event as e', 'e.id', 'r.event_id')
      .innerJoin('tournament as t', 't.id', 'e.tournament_id')
      .select(['e.id as eventId', 'r.partner_id as partnerId'])
      .where('r.id', '=', id)
      .where('r.user_id', '=', player),
  );
  if (!entry || (entry.partnerId || null) === partnerId) return;
  const target = await lockEvent(context, entry.eventId);
  if (partnerId === player) reject('input.partnerId', 'the id of another user');
  await checkPartnerAllowed(context, target, partnerId);
  if (partnerId) await checkPlayers(context, target, player, partnerId);
  if (await sharesPlace(sql, id)) await checkCapacity(context, target.event);
}

/**
 * Returns the ID of a player's registration for the tournament. If `id` is given, the registration must have this ID. Creates the
 * registration if it does not exist. Throws FORBIDDEN if it belongs to another player or tournament.
 */
async function registrationFor(
  context: Context,
  { tournament }: EntryTarget,
  userId: string,
  id: string | null,
): Promise<string> {
  const { sql } = context;
  const where = id ? { id } : { tournamentId: tournament.id, userId };
  const registration = await sql.em.findOne(Registration, where, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    orderBy: { id: 'asc' },
  });
  if (!registration) {
    const input = { ...(id ? { id } : {}), tournamentId: tournament.id };
    return String((await create(context, Registration, input, ['id'], { userId })).id);
  }
  if (registration.userId !== userId) refuse('registrationId', 'a registration of the same player');
  if (registration.tournamentId !== tournament.id) refuse('registrationId', 'a registration for the tournament of the event');
  return registration.id;
}

/** Returns the ID of the player's team in the event, or null. Throws FORBIDDEN if the entry names another team. */
async function teamFor({ sql }: Context, eventId: string, userId: string, teamId: string | null): Promise<string | null> {
  const team = await sql.first(
    sql.db
      .selectFrom('team')
      .select('id')
      .where('event_id', '=', eventId)
      .where((row) => row.or([row('player_one_id', '=', userId), row('player_two_id', '=', userId)]))
      .orderBy('id')
      .limit(1),
  );
  if (teamId && teamId !== team?.id) refuse('teamId', 'a team of the same player');
  return team?.id ?? null;
}

/** Rejects a partner in a singles event. In a doubles event, the partner is optional. */
async function checkPartnerAllowed({ sql }: Context, { event }: EntryTarget, partnerId: string | null): Promise<void> {
  if (!partnerId || event.formatId === null) return;
  const format = await sql.first(
    sql.db.selectFrom('format').select('needs_partner as needsPartner').where('id', '=', event.formatId),
  );
  if (format && !format.needsPartner) reject('input.partnerId', 'no partner, because the event is not played in pairs');
}

/** Whether the partner has an entry in the event that names the player. If so, both players occupy one place. */
async function isNamedByPartner({ sql }: Context, eventId: string, partnerId: string, userId: string): Promise<boolean> {
  const team = sql.db
    .selectFrom('team as t')
    .select('t.id')
    .where('t.event_id', '=', eventId)
    .where((t) => t.or([t('t.player_one_id', '=', partnerId), t('t.player_two_id', '=', partnerId)]));
  const entry = await sql.first(
    sql.db
      .selectFrom('event_registration as e')
      .select('e.id')
      .where('e.event_id', '=', eventId)
      .where('e.user_id', '=', partnerId)
      .where('e.partner_id', '=', userId)
      .where('e.status', 'in', occupyingStatuses)
      .where((e) => e.not(e.exists(team)))
      .limit(1),
  );
  return entry !== null;
}

/**
 * Locks and checks the players of an entry. If the entry is for the partner of the caller, rejects unknown users, and events with an age
 * limit, because dates of birth are private.
 */
async function checkPair(
  context: Context,
  target: EntryTarget,
  callerId: string,
  userId: string,
  partnerId: string | null,
): Promise<void> {
  const isOwn = userId === callerId;
  const players = await lockPlayers(context.sql, isOwn ? [callerId] : [callerId, userId]);
  if (isOwn) return checkPlayers(context, target, callerId, partnerId);
  if (!players.includes(userId)) refusePartner(badInputError([{ field: 'input.userId', expected: 'the id of a user' }]));
  const { from, under } = eligibilityRulesOf(target.event);
  if (from !== undefined || under !== undefined) refuse('userId', 'the signed-in user, because the event has an age limit');
  await checkPlayers(context, target, callerId, userId, 'userId');
}

/**
 * Checks a new entry that the player or their partner creates, by the rules of `registerTeam`. Registration must be open, the event must
 * have a free place, and the player must be eligible and have no entry yet. Returns the values that the service sets.
 *
 * Throws NOT_FOUND for an unknown event, because players could otherwise enter an event before it exists, without any check. Does not check
 * entries without an event. Refused partners count toward the limit of `limitRefusedPartners`.
 */
export function checkNewEntry(values: Values, context: Context): Promise<Values> {
  const userId = nonEmptyString(values.userId);
  const hasPartner = nonEmptyString(values.partnerId) !== null || (userId !== null && userId !== onBehalfOf(context, null));
  return limitRefusedPartners(context, hasPartner, () => enter(values, context));
}

async function enter(values: Values, context: Context): Promise<Values> {
  const { sql } = context;
  const callerId = onBehalfOf(context, null);
  const userId = nonEmptyString(values.userId) ?? callerId;
  const isOwn = userId === callerId;
  const partnerId = isOwn ? nonEmptyString(values.partnerId) : callerId;
  const eventId = nonEmptyString(values.eventId);
  const teamId = nonEmptyString(values.teamId);
  const registrationId = nonEmptyString(values.registrationId);
  const originalEventId = nonEmptyString(values.originalEventId);
  // The legacy interface sends 0 for a status that is not set.
  if (values.status && values.status !== registeredStatus) refuse('status', 'REGISTERED');
  if (originalEventId && originalEventId !== eventId) refuse('originalEventId', 'the event of the entry');
  if (!eventId) {
    if (teamId) refuse('teamId', 'a team of the same player');
    await checkRegistrationOwner(context, registrationId, userId);
    return isOwn ? {} : linkPartner(context, values, null);
  }
  const target = await lockEvent(context, eventId);
  checkRegistrationOpen(target);
  await checkPartnerAllowed(context, target, partnerId);
  await checkPair(context, target, callerId, userId, partnerId);
  const team = await teamFor(context, eventId, userId, teamId);
  if (await hasEntry(sql, eventId, userId)) {
    if (isOwn) fail('CONFLICT', 'you are already in this event');
    refusePartner(createError('CONFLICT', partnerEnteredMessage));
  }
  const link = isOwn ? {} : await linkPartner(context, values, target);
  const takesPlace = !team && !(partnerId && (await isNamedByPartner(context, eventId, partnerId, userId)));
  if (takesPlace) await checkCapacity(context, target.event);
  return {
    ...link,
    status: registeredStatus,
    teamId: team,
    registrationId: await registrationFor(context, target, userId, registrationId),
  };
}

/** Throws FORBIDDEN if the registration belongs to another player. */
async function checkRegistrationOwner({ sql }: Context, id: string | null, userId: string): Promise<void> {
  if (!id) return;
  const registration = await sql.first(sql.db.selectFrom('registration').select('user_id as userId').where('id', '=', id));
  if (registration && registration.userId !== userId) refuse('registrationId', 'a registration of the same player');
}
