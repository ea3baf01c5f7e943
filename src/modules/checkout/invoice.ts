import { id, num, ref, text } from '../../kernel/fields.js';
import { Kept, type Reported, reported } from '../../kernel/kept.js';
import { platform, user } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { User } from '../accounts/user.js';
import { Club } from '../leagues/club.js';
import { Registration } from '../tournaments/registration.js';
import { Tournament } from '../tournaments/tournament.js';

@record(
  { table: 'invoice', one: 'invoice', many: 'invoices', read: [platform, user], write: { by: [platform] }, seenBy: 'userId' },
  'What somebody has to pay: the invoice header of section 2.4. Its items and payments name it. Users see their own.',
)
export class Invoice extends Kept {
  @id('Id of the invoice.')
  id!: string;

  @text('Number of the invoice on the platform.')
  number!: string | null;

  @text('Kind of thing that is paid for, as the platform writes it, such as Tournaments.')
  moduleType!: string | null;

  @ref(() => Tournament, { one: 'tournament', many: 'invoices' }, 'Id of what is paid for, which may be a tournament.')
  moduleId!: string | null;

  @ref(() => Club, { one: 'club', many: 'invoices' }, 'The club that is paid.')
  clubId!: string | null;

  @ref(() => User, { one: 'user', many: 'invoices' }, 'Who pays.')
  userId!: string | null;

  @ref(() => Registration, { one: 'registration', many: 'invoices' }, 'The registration that is paid for.')
  registrationId!: string | null;

  @reported()
  reported!: Reported;

  @num('Number of the fee plan on the platform by which the costs of the merchant are added.')
  feePlanNumber!: number | null;
}
