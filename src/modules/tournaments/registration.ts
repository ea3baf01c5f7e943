import { flag, id, ref, text } from '../../kernel/declare/fields.js';
import { Kept, type Reported, reported } from '../../kernel/declare/kept.js';
import { permission, platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { staff, type Writers } from '../../kernel/declare/writers.js';
import { User } from '../accounts/user.js';
import { registerPlayer, registersPartner } from './enter-partner.js';
import { deleting, withdrawing } from './may-withdraw.js';
import { Tournament } from './tournament.js';
import { visibleRegistrations } from './visible-players.js';

/** Writers of registrations: staff, and players for their own registrations. A player also creates the registration of the partner. */
export const registrationWriters: Writers = { by: staff(), owner: 'userId' };

/** Who sees the promotional codes of all players. */
const all = [platform, permission('ADMIN')];

@record(
  {
    table: 'registration',
    changesBy: ['tournamentId'],
    one: 'registration',
    many: 'registrations',
    read: [platform, user],
    visible: visibleRegistrations,
    write: registrationWriters,
    rootFields: ['one', 'many', 'create', 'update', 'upsert'],
    shows: ({ userId }, caller) => caller.user?.id === userId || all.some((policy) => policy.maybe(caller)),
    showsBy: ['userId'],
    createsForOther: registersPartner,
    onOwnerInsert: registerPlayer,
    can: { withdraw: withdrawing('registration'), delete: deleting('registration', registrationWriters) },
  },
  'The registration of a player for a tournament; `events` are the entries in its events.',
)
export class Registration extends Kept {
  @id('Id of the registration.')
  id!: string;

  @ref(() => Tournament, { one: 'tournament', many: 'registrations', filterable: ['one', 'many'] }, 'The tournament.', {
    isFixedForOwner: true,
  })
  tournamentId!: string | null;

  @ref(() => User, { one: 'user', many: 'registrations', filterable: ['one', 'many'] }, 'The player.')
  userId!: string | null;

  @reported()
  reported!: Reported;

  @text('Page or part of the website from which it was last changed: free text.')
  updateLocation!: string | null;

  @text('Promotional code used; shown to the player, platforms and admins, null to others.', { private: true, askedBy: all })
  promoCode!: string | null;

  @flag('The player has a partner.')
  hasPartner!: boolean;
}
