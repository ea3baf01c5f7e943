import { id, num, ref, text } from '../../kernel/declare/fields.js';
import { Kept, type Reported, reported } from '../../kernel/declare/kept.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { User } from '../accounts/user.js';
import { Club } from '../leagues/club.js';
import { Registration } from '../tournaments/registration.js';
import { Tournament } from '../tournaments/tournament.js';

@record(
  { table: 'invoice', one: 'invoice', many: 'invoices', read: [platform, user], write: { by: [platform] }, seenBy: 'userId' },
  'What somebody has to pay: `items` are its lines, `payments` what was paid. Users see their own, platforms all.',
)
export class Invoice extends Kept {
  @id('Id of the invoice.')
  id!: string;

  @text('Number of the invoice, for people to read: each platform uses its own.')
  number!: string | null;

  @text('Kind of thing that is paid for, mostly a title of `moduleTypes`, such as Tournaments.')
  moduleType!: string | null;

  @ref(() => Tournament, { one: 'tournament', many: 'invoices' }, 'What is paid for: its id, or the tournament where it is one.')
  moduleId!: string | null;

  @ref(() => Club, { one: 'club', many: 'invoices' }, 'The club that is paid.')
  clubId!: string | null;

  @ref(() => User, { one: 'user', many: 'invoices' }, 'Who pays.')
  userId!: string | null;

  @ref(() => Registration, { one: 'registration', many: 'invoices' }, 'The registration that is paid for.')
  registrationId!: string | null;

  @reported()
  reported!: Reported;

  @num('Number of the fee plan by which the costs of the merchant are added: each platform uses its own.')
  feePlanNumber!: number | null;
}
