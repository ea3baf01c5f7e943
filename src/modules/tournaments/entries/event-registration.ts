import { idInNumber } from '../../../kernel/declare/fields/converted-fields.js';
import { id, ref, text } from '../../../kernel/declare/fields/fields.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { ownerRestrictionOf, staffPolicies, type Writers } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { type Reported, reportedHistory, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { User } from '../../accounts/users/user.js';
import { formatReference, playerGroupReference } from '../../reference/records/event-lookups.js';
import { entryStatuses } from '../choices.js';
import { Team } from '../players/team.js';
import { isPublicEntry, visibleEntries } from '../players/visible-players.js';
import { TournamentEvent } from '../tournament-event.js';
import { canDelete, canWithdraw } from './can-withdraw.js';
import { isEntryForPartner } from './enter-partner.js';
import { checkNewEntry, checkPartnerOfEntry } from './own-registration.js';
import { Registration } from './registration.js';

/** Callers who can write entries: staff, and players for their own entries. Players can also create their partner's entry. */
export const entryWriters: Writers = { policies: staffPolicies(), owner: 'userId' };

@record(
  {
    table: 'event_registration',
    changeLogColumns: ['eventId'],
    one: 'eventRegistration',
    many: 'eventRegistrations',
    read: [platform, user],
    visibleCondition: visibleEntries,
    publicUsers: { columns: ['userId'], isPublic: isPublicEntry },
    write: entryWriters,
    actionRules: { withdraw: canWithdraw('event_registration'), delete: canDelete('event_registration', entryWriters) },
    rootFields: ['one', 'many', 'create', 'update', 'upsert'],
    onSave: async (values, context, write) => {
      if (ownerRestrictionOf(entryWriters, context.caller)) await checkPartnerOfEntry(values, context, write);
      return values;
    },
    createsForOther: isEntryForPartner,
    onOwnerInsert: checkNewEntry,
  },
  'Entry of a player in an event of a tournament.',
)
export class EventRegistration extends TrackedRecord {
  @id('ID of the entry.')
  id!: string;

  @ref(
    () => Registration,
    { one: 'registration', many: 'events', filterable: ['one'] },
    'Registration of the player for the tournament.',
    {
      isReadOnlyForOwner: true,
    },
  )
  registrationId!: string | null;

  @ref(() => TournamentEvent, { one: 'event', many: 'registrations', filterable: ['one'] }, 'Event that the player entered.', {
    isReadOnlyForOwner: true,
  })
  eventId!: string | null;

  @ref(() => Team, { one: 'team', many: 'registrations' }, 'Team that the player belongs to in the event.', {
    isReadOnlyForOwner: true,
  })
  teamId!: string | null;

  @ref(() => User, { one: 'user', many: 'eventRegistrations', filterable: ['one'] }, 'The player.')
  userId!: string | null;

  @reportedHistory()
  reported!: Reported;

  @choice(entryStatuses, 'Status of the entry.', { isReadOnlyForOwner: true })
  status!: number | null;

  @text('Page or part of the website where the entry was last changed. Free text.')
  updateLocation!: string | null;

  @idInNumber('ID of the player group.', { nameReference: playerGroupReference })
  playerGroupId!: number | null;

  @idInNumber('ID of the format.', { nameReference: formatReference })
  formatId!: number | null;

  @ref(
    () => TournamentEvent,
    { one: 'originalEvent' },
    'Original event of the entry, before the entry was moved or events were merged.',
    {
      index: false,
      isReadOnlyForOwner: true,
    },
  )
  originalEventId!: string | null;

  @ref(() => EventRegistration, { one: 'partnerRegistration' }, 'Entry of the partner.', { index: false })
  partnerRegistrationId!: string | null;

  @ref(() => User, { one: 'partner' }, 'The partner.', { index: false })
  partnerId!: string | null;
}
