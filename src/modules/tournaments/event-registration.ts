import { id, num, ref, text } from '../../kernel/fields.js';
import { Kept, type Reported, reported } from '../../kernel/kept.js';
import { platform, user } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { staff } from '../../kernel/writers.js';
import { User } from '../accounts/user.js';
import { Registration } from './registration.js';
import { Team } from './team.js';
import { TournamentEvent } from './tournament-event.js';

@record(
  {
    table: 'event_registration',
    one: 'eventRegistration',
    many: 'eventRegistrations',
    read: [platform, user],
    write: { by: staff(), owner: 'userId' },
  },
  "A player's entry in one event: the attendee event record of section 2.14.",
)
export class EventRegistration extends Kept {
  @id('Id of the entry.')
  id!: string;

  @ref(() => Registration, { one: 'registration', many: 'events' }, 'The registration for the tournament.')
  registrationId!: string | null;

  @ref(() => TournamentEvent, { one: 'event', many: 'registrations' }, 'The event.')
  eventId!: string | null;

  @ref(() => Team, { one: 'team', many: 'registrations' }, 'The team in which the player plays.')
  teamId!: string | null;

  @ref(() => User, { one: 'user', many: 'eventRegistrations' }, 'The player.')
  userId!: string | null;

  @reported()
  reported!: Reported;

  @num("Status number of the platform; the interface document doesn't tell the meaning.")
  status!: number | null;

  @text('Place in the platform from which it was last changed.')
  updateLocation!: string | null;

  @num('Number of the player group.')
  playerGroupNumber!: number | null;

  @num('Number of the format.')
  formatNumber!: number | null;

  @ref(() => TournamentEvent, { one: 'originalEvent' }, 'The event entered first, before a move or merger.', { index: false })
  originalEventId!: string | null;

  @ref(() => EventRegistration, { one: 'partnerRegistration' }, "The partner's entry.", { index: false })
  partnerRegistrationId!: string | null;

  @ref(() => User, { one: 'partner' }, 'The partner.', { index: false })
  partnerId!: string | null;
}
