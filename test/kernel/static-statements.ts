import * as responses from '../../src/graphql/idempotency/responses-sql.js';
import { primaryPosition, replicaPosition } from '../../src/graphql/read-your-writes/position-sql.js';
import { recordNamed } from '../../src/kernel/declare/meta.js';
import { anonymousCaller } from '../../src/kernel/declare/policy/caller.js';
import { countSearchRows, searchRows } from '../../src/kernel/read/find-sql.js';
import type { Session } from '../../src/kernel/session.js';
import * as audit from '../../src/modules/accounts/audit/audit-sql.js';
import * as registration from '../../src/modules/accounts/registration/registration-sql.js';
import * as authenticator from '../../src/modules/accounts/sign-in/authenticator-sql.js';
import * as locations from '../../src/modules/accounts/sign-in/sign-in-locations-sql.js';
import { insertToken } from '../../src/modules/accounts/tokens/insert-token-sql.js';
import { rolesOfUsers } from '../../src/modules/accounts/users/held-roles-sql.js';
import { erasePerson } from '../../src/modules/accounts/users/personal-data/erase-person-sql.js';
import { isPublicPlayer } from '../../src/modules/accounts/users/public-players-sql.js';
import { readAmounts } from '../../src/modules/checkout/invoices/invoice-amounts-sql.js';
import { lockInvoice } from '../../src/modules/checkout/invoices/invoice-sql.js';
import { readRefunds } from '../../src/modules/checkout/refunds/refunds-sql.js';
import { insertNotifications } from '../../src/modules/engagement/notifications/notify-sql.js';
import * as webhooks from '../../src/modules/live/webhooks/webhook-sql.js';
import { countPendingDeliveries } from '../../src/modules/live/webhooks/webhook-sql.js';
import { pendingIdsFor } from '../../src/modules/media/approval/approval-queue-sql.js';
import { isIdOfOtherType, isItemHidden } from '../../src/modules/media/queue/item-ids-sql.js';
import { nextCategoryNumber } from '../../src/modules/news/number-category-sql.js';
import { isMatchOfTournament } from '../../src/modules/officiating/match-tournament-sql.js';
import { rankPlayers } from '../../src/modules/rankings/rank-players-sql.js';
import { lockAddresses } from '../../src/modules/scheduler/invitations/lock-addresses-sql.js';
import { insertOccurrences } from '../../src/modules/scheduler/occurrences/insert-occurrences-sql.js';
import { formatDays } from '../../src/modules/tournaments/dates/formatted-days-sql.js';
import { sharesPlace } from '../../src/modules/tournaments/entries/occupied-places-sql.js';
import * as partners from '../../src/modules/tournaments/entries/other-partners-sql.js';
import * as shadow from '../../src/modules/usage/shadow-sql.js';
import * as usage from '../../src/modules/usage/usage-sql.js';
import type { TestApp } from '../support/servers/app.js';

/** Runs all static SQL statements, so that their facts are recorded. Their results are ignored. */
export async function runStaticStatements(sql: Session, { services }: TestApp['resources']): Promise<void> {
  const platform = { ...anonymousCaller, platform: { id: 'p', name: 'P' } };
  const run = { id: Buffer.from('id'), fingerprint: Buffer.from('print'), attemptId: 'attempt' };
  const lane = { platformId: 'p', webhookId: 'w', recordType: 'Team', recordKey: 't' };
  const scope = { from: '2026-01-01', to: '2026-01-31', platformId: null, caller: null };
  const person = { caller: { ...anonymousCaller, user: { id: 'u', name: 'U', isSuperAdmin: false, roles: new Set<string>() } } };
  const draft = {
    id: 'o',
    parentId: 'g',
    occursOn: '2026-01-01',
    day: null,
    startsAt: null,
    endsAt: null,
    localDayRaw: null,
    localStartsAt: null,
    localEndsAt: null,
    timeZoneAbbreviation: null,
    utcOffset: null,
  };
  const ranking = {
    from: '2026-01-01T00:00:00Z',
    until: null,
    name: 'X',
    division: null,
    gender: 'F',
    countsHiddenPoints: false,
  };
  const work: (() => Promise<unknown>)[] = [
    () => primaryPosition(sql),
    () => replicaPosition(sql),
    () => responses.claimKey(sql, run),
    () => responses.findRequest(sql, run.id),
    () => responses.markCommitted(sql, run),
    () => responses.renewLease(sql, run),
    () => responses.saveResponse(sql, run, run.id),
    () => responses.releaseKey(sql, run),
    () => responses.deleteExpired(sql),
    () => searchRows(sql, [recordNamed('Tournament'), recordNamed('User')], 'open cup', 5, 0),
    () => countSearchRows(sql, [recordNamed('Tournament'), recordNamed('User')], 'open cup'),
    () => erasePerson(sql, { id: 'u', name: 'U V', contacts: ['u@v.example'], pattern: 'u@v' }),
    () => audit.addAuditEntry(sql, 'CREATED' as never, 'User', 'u'),
    () => audit.deleteOldAuditEntries(sql, services),
    () => insertToken(sql, { hash: 'h', userId: 'u', device: null, platformId: null, passwordHash: null }),
    () => rolesOfUsers(sql, ['u'], ['id', 'title']),
    () => authenticator.findPlatform(sql, 'h'),
    () => authenticator.findKey(sql, 'h'),
    () => authenticator.findKeyForOrigin(sql, ['https://a.example']),
    () => authenticator.findTokenOwner(sql, 'h'),
    () => authenticator.findUser(sql, 'u'),
    () => isPublicPlayer(sql, 'u'),
    () => registration.pendingPasswordHashes(sql, 'u@v.example', 3),
    () => registration.unverifiedUser(sql, 'u@v.example'),
    () => locations.signInHistoryOf(sql, 'u@v.example', 'h'),
    () => locations.saveLocation(sql, 'u', 'h'),
    () => locations.deleteLocationsOf(sql, 'u'),
    () => locations.deleteOldLocations(sql),
    () => readAmounts(sql, ['i']),
    () => lockInvoice(sql, 'i'),
    () => readRefunds(sql, 'entry', ['e'], platform),
    () => readRefunds(sql, 'registration', ['r'], platform),
    () => insertNotifications(sql, ['u'], { typeId: 't', event: 'e', content: 'c', subjectKind: null, subjectId: null } as never),
    () => countPendingDeliveries(sql),
    () => webhooks.readActiveWebhooks(sql),
    () => webhooks.hasActiveWebhook(sql),
    () => webhooks.insertPosition(sql, 'w', { log: 'l', position: 1 }),
    () => webhooks.positionOfWebhook(sql, 'w'),
    () => webhooks.moveToFront(sql, 'w'),
    () => webhooks.countPending(sql, 'w'),
    () => webhooks.dueLanes(sql, [lane], 1),
    () => webhooks.firstPendingDelivery(sql, lane),
    () => webhooks.delayLane(sql, lane, 1),
    () => webhooks.makeDue(sql, 'd'),
    () => webhooks.retryPendingDeliveries(sql, 'w'),
    () => webhooks.giveUpFailedDeliveries(sql, 'w'),
    () => webhooks.deleteQueue(sql, 'w'),
    () => webhooks.addDeliveries(sql, 'w', []),
    () => webhooks.deleteOldDeliveries(sql, 30),
    () => isIdOfOtherType(sql, 'Sponsor', 'i'),
    () => isItemHidden(sql, person.caller, 'i'),
    () => pendingIdsFor({ sql, caller: person.caller }, 'SPONSOR_IMAGE', ['i']),
    () => nextCategoryNumber(sql),
    () => isMatchOfTournament(sql, 't', ['a'], ['m']),
    () => rankPlayers(sql, ranking as never, { size: 5, from: 0, until: null, isBackward: false }),
    () => insertOccurrences(sql, [draft as never]),
    () => lockAddresses(sql, ['u@v.example']),
    () => sharesPlace(sql, 'e'),
    () => formatDays(sql, [{ startsAt: null, endsAt: null, timeZone: 'UTC' }]),
    () => partners.entryHasOtherPartner(sql, 'e', 'u'),
    () => partners.playerHasOtherPartner(sql, 'p', 'u', { id: 'e', eventId: null }),
    () => shadow.shadowReadsIn(sql, scope),
    () => shadow.shadowDifferencesIn(sql, scope, 5),
    () => usage.addUsage(sql, '00000000-0000-7000-8000-000000000000', 1, {}),
    () => usage.countsPerRouteAndDay(sql, scope),
    () => usage.callersOf(sql, scope, 5),
    () => usage.pairsOf(sql, scope, 5),
    () => usage.routesCalledBy(sql, 'p'),
    () => usage.deleteOldUsage(sql, services),
  ];
  // Placeholder values make some statements fail. The facts of a statement are recorded before it runs.
  for (const runStatement of work) await runStatement().catch(() => undefined);
}
