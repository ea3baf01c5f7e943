import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import { badInputError, pathIn, reject } from '../../../kernel/declare/errors.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { checkAll } from '../../../kernel/declare/policy/refusals.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import type { Partner } from '../invitations/invite-partner.js';
import { createEntryChecker, findPlayers } from '../players/players.js';
import { canReadPlayers } from '../players/visible-players.js';
import type { Tournament } from '../tournament.js';
import { checkEligible } from './check-eligibility.js';
import { unknownPlayer } from './eligibility.js';
import { combineEntryErrors, limitRefusedPartners, refusePartner } from './limit-refused-partners.js';
import {
  checkRegistrationOpen,
  type EntryTarget,
  entryTargetIn,
  failAt,
  findEvents,
  findFullEventIds,
  fullEventMessage,
  problemAt,
} from './lock-event.js';
import type { RegisterTeamInput } from './register-team-input.js';

/** A player's request to enter an event, with or without a partner. */
export interface RequestedEntry {
  eventId: string;
  partner: Partner | null;
  /** Path of this entry in the input, if the request has several entries. */
  path?: string;
}

/** Entry that complies with all rules, with its event and tournament. */
export interface AllowedEntry extends RequestedEntry, EntryTarget {}

/** Returns the partner in an input, in the format that invitations use. Null if the input has no partner. */
const partnerIn = ({ partnerId, partnerEmail }: RegisterTeamInput): Partner | null => {
  if (partnerId) return { userId: partnerId };
  return partnerEmail ? { email: normalizeEmail(partnerEmail) } : null;
};

export const requestedEntry = (input: RegisterTeamInput): RequestedEntry => ({
  eventId: input.eventId,
  partner: partnerIn(input),
});

/** Returns the requested entries in an input with several events. */
export const requestedEntries = (events: readonly RegisterTeamInput[]): RequestedEntry[] =>
  events.map((input, index) => ({ ...requestedEntry(input), path: pathIn('input.events', index) }));

/** Returns the user ID of the partner. Null if the entry has no partner, or if the partner is invited by email. */
export const partnerIdOf = ({ partner }: RequestedEntry): string | null =>
  partner && 'userId' in partner ? partner.userId : null;

/** Whether an entry has a partner with a known user ID. */
export const hasPartner = (entry: RequestedEntry): boolean => partnerIdOf(entry) !== null;

type Player = Awaited<ReturnType<typeof findPlayers>>[number];

/** Data that the rules for entries depend on. */
interface EntryFacts {
  callerId: string;
  events: Awaited<ReturnType<typeof findEvents>>;
  players: ReadonlyMap<string, Player>;
  /** Whether a format is played in pairs, keyed by format ID. */
  needsPartner: ReadonlyMap<string, boolean>;
  isEntered: (eventId: string, userId: string) => boolean;
  /** Whether the caller may learn that a partner is already in an event of the tournament. */
  reportsPartners: (tournament: Tournament) => boolean;
  fullEventIds: ReadonlySet<string>;
}

async function readFormats({ sql }: Context, events: EntryFacts['events']['events']): Promise<EntryFacts['needsPartner']> {
  const ids = events.flatMap(({ formatId }) => formatId ?? []);
  if (ids.length === 0) return new Map();
  const formats = await sql.run(
    sql.db.selectFrom('format').select(['id', 'needs_partner as needsPartner']).where(raw<SqlBool>`id = any(${ids})`),
  );
  return new Map(formats.map(({ id, needsPartner }) => [id, needsPartner]));
}

/** Reads the data for all entries together. If `locks` is set, locks the events and players first. */
async function readFacts(
  context: Context,
  callerId: string,
  entries: readonly RequestedEntry[],
  locks: boolean,
): Promise<EntryFacts> {
  const { sql } = context;
  const eventIds = entries.map(({ eventId }) => eventId);
  const events = await findEvents(context, eventIds, locks);
  const userIds = [callerId, ...entries.flatMap((entry) => partnerIdOf(entry) ?? [])];
  const players = await findPlayers(sql, userIds, locks);
  return {
    callerId,
    events,
    players: new Map(players.map((player) => [player.id, player])),
    needsPartner: await readFormats(context, events.events),
    isEntered: await createEntryChecker(sql, eventIds, userIds),
    reportsPartners: (tournament) => locks || canReadPlayers(context.caller, tournament),
    fullEventIds: await findFullEventIds(context, events.events),
  };
}

/** Requires a partner in events for pairs, and rejects a partner in other events. Events without a format allow both. */
function checkPartnerCount(
  { needsPartner }: EntryFacts,
  { event }: EntryTarget,
  { partner }: RequestedEntry,
  path: string,
): void {
  const isPlayedInPairs = event.formatId === null ? undefined : needsPartner.get(event.formatId);
  if (isPlayedInPairs === true && !partner)
    reject(`${path}.partnerId`, 'the id of the partner, because the event is played in pairs');
  const field = partner && 'email' in partner ? 'partnerEmail' : 'partnerId';
  if (isPlayedInPairs === false && partner) reject(`${path}.${field}`, 'no partner, because the event is not played in pairs');
}

/** Rejects the player as their own partner, and partners with unknown IDs. */
function checkKnownPartner({ callerId, players }: EntryFacts, { partner }: RequestedEntry, path: string): void {
  if (!partner) return;
  if ('email' in partner) {
    if (players.get(callerId)?.email === partner.email) reject(`${path}.partnerEmail`, 'the e-mail address of another person');
  } else if (partner.userId === callerId) reject(`${path}.partnerId`, 'the id of another user');
  else if (!players.has(partner.userId))
    refusePartner(badInputError([{ field: `${path}.partnerId`, expected: 'the id of a user' }]));
}

export const partnerEnteredMessage = 'the partner is already in this event';

function checkEntry(facts: EntryFacts, entry: RequestedEntry): AllowedEntry {
  const { callerId, players, isEntered, fullEventIds } = facts;
  const { eventId, path } = entry;
  const target = entryTargetIn(facts.events, eventId, path);
  const partnerId = partnerIdOf(entry);
  const fieldPath = path ?? 'input';
  checkRegistrationOpen(target, path);
  checkPartnerCount(facts, target, entry, fieldPath);
  checkKnownPartner(facts, entry, fieldPath);
  checkEligible(target, players.get(callerId) ?? unknownPlayer, partnerId ? (players.get(partnerId) ?? unknownPlayer) : null, {
    path: fieldPath,
  });
  if (isEntered(eventId, callerId)) failAt(path, 'CONFLICT', 'you are already in this event');
  if (partnerId && isEntered(eventId, partnerId) && facts.reportsPartners(target.tournament))
    refusePartner(problemAt(path, 'CONFLICT', partnerEnteredMessage));
  if (fullEventIds.has(eventId)) failAt(path, 'CONFLICT', fullEventMessage);
  return { ...entry, ...target };
}

/** Rejects an entry in the same event as an earlier entry, or in a different tournament than the first entry with a known event. */
function checkEarlierEntries(
  { events }: EntryFacts,
  { event, tournament, path }: AllowedEntry,
  earlierEntries: readonly RequestedEntry[],
): void {
  if (earlierEntries.some(({ eventId }) => eventId === event.id)) failAt(path, 'CONFLICT', 'you are already in this event');
  const [firstEvent] = earlierEntries.flatMap(({ eventId }) => events.events.find(({ id }) => id === eventId) ?? []);
  if (firstEvent && firstEvent.tournamentId !== tournament.id)
    reject(`${path}.eventId`, 'an event of the same tournament as the first event');
}

/**
 * Checks the entries of a player by the rules of `registerTeam`. The events must be distinct and belong to the same tournament. The error
 * lists all refused entries. The number of SQL statements is constant.
 *
 * @param locks Whether to lock events and players until the transaction ends. Required for writes. Without locks, partners who are already
 * in an event are reported only if the caller can see the players of the tournament.
 */
export async function checkEntries(
  context: Context,
  callerId: string,
  entries: readonly RequestedEntry[],
  locks: boolean,
): Promise<AllowedEntry[]> {
  const facts = await readFacts(context, callerId, entries, locks);
  const checks = entries.map((entry, index) => () => {
    const allowedEntry = checkEntry(facts, entry);
    checkEarlierEntries(facts, allowedEntry, entries.slice(0, index));
    return allowedEntry;
  });
  const hasSeveral = entries.some(({ path }) => path !== undefined);
  return hasSeveral ? checkAll(checks, combineEntryErrors) : checks.map((check) => check());
}

/**
 * Checks the entries of the signed-in user by the rules of `registerTeams`, without locks. Refused partners count toward the limit of
 * `limitRefusedPartners`.
 */
export function allowedEntries(context: Context, events: readonly RegisterTeamInput[]): Promise<AllowedEntry[]> {
  const entries = requestedEntries(events);
  const check = () => checkEntries(context, onBehalfOf(context, null), entries, false);
  return limitRefusedPartners(context, entries.some(hasPartner), check);
}
