import { flag, id, ref, text } from '../../../kernel/declare/fields/fields.js';
import { permission, platform, user } from '../../../kernel/declare/policy/policy.js';
import { staffPolicies, type Writers } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { type Reported, reportedHistory, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { User } from '../../accounts/users/user.js';
import { visibleRegistrations } from '../players/visible-players.js';
import { Tournament } from '../tournament.js';
import { canDelete, canWithdraw } from './can-withdraw.js';
import { isRegistrationForPartner, registerPlayer } from './enter-partner.js';

/**
 * Callers who can write registrations: staff, and players for their own registrations. Players can also create the registration of their
 * partner.
 */
export const registrationWriters: Writers = { policies: staffPolicies(), owner: 'userId' };

/** Policies for callers who see the promotional codes of all players. */
const seesAllCodes = [platform, permission('ADMIN')];

@record(
  {
    table: 'registration',
    changeLogColumns: ['tournamentId'],
    one: 'registration',
    many: 'registrations',
    read: [platform, user],
    visibleCondition: visibleRegistrations,
    write: registrationWriters,
    rootFields: ['one', 'many', 'create', 'update', 'upsert'],
    canSeePrivateFields: ({ userId }, caller) =>
      caller.user?.id === userId || seesAllCodes.some((policy) => policy.permitsCaller(caller)),
    privateFieldColumns: ['userId'],
    createsForOther: isRegistrationForPartner,
    onOwnerInsert: registerPlayer,
    actionRules: { withdraw: canWithdraw('registration'), delete: canDelete('registration', registrationWriters) },
  },
  'Registration of a player for a tournament. `events` contains the entries in its events.',
)
export class Registration extends TrackedRecord {
  @id('ID of the registration.')
  id!: string;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'registrations', filterable: ['one', 'many'] },
    'Tournament that the player registered for.',
    {
      isReadOnlyForOwner: true,
    },
  )
  tournamentId!: string | null;

  @ref(() => User, { one: 'user', many: 'registrations', filterable: ['one', 'many'] }, 'The player.')
  userId!: string | null;

  @reportedHistory()
  reported!: Reported;

  @text('Page or part of the website where the registration was last changed. Free text.')
  updateLocation!: string | null;

  @text('Promotional code that was used. Visible to the player, platforms and admins. Null for other callers.', {
    private: true,
    filterableBy: seesAllCodes,
  })
  promoCode!: string | null;

  @flag('Whether the player has a partner.')
  hasPartner!: boolean;
}
