import { flag, id, instant, ref, text } from '../../kernel/fields.js';
import { platform, user } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { User } from '../accounts/user.js';
import { Tournament } from './tournament.js';

@record(
  { table: 'registration', one: 'registration', many: 'registrations', read: [platform, user], write: [platform, user] },
  "A player's registration for a tournament: the attendee event header of section 2.14.",
)
export class Registration {
  @id('Id of the registration.')
  id!: string;

  @ref(() => Tournament, { one: 'tournament', many: 'registrations' }, 'The tournament.')
  tournamentId!: string | null;

  @ref(() => User, { one: 'user', many: 'registrations' }, 'The player.')
  userId!: string | null;

  @instant('When it was made, as the platform tells.')
  createdAt!: string | null;

  @text('Name of the person who made it.')
  createdBy!: string | null;

  @instant('When it was last changed, as the platform tells.')
  updatedAt!: string | null;

  @text('Name of the person who last changed it.')
  updatedBy!: string | null;

  @text('Place in the platform from which it was last changed.')
  updateLocation!: string | null;

  @text('Promotional code used.')
  promoCode!: string | null;

  @flag('The player has a partner.')
  hasPartner!: boolean;
}
