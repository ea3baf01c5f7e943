import { related } from '../../kernel/serve/relations.js';
import { User } from '../accounts/user.js';
import { Sponsor } from './sponsor.js';

/** Users and sponsors: the one whose a sponsor is stands in it, further ones in sponsorships. */
export const sponsorRelations = [
  related(
    Sponsor,
    'users',
    User,
    `r.id in (select s.user_id from sponsor s where s.id = p.key union all select l.user_id from sponsorship l where l.sponsor_id = p.key)`,
    'Everybody whom it sponsors: the user whose it is, and those that were added.',
  ),
  related(
    User,
    'sponsors',
    Sponsor,
    `r.id in (select s.id from sponsor s where s.user_id = p.key union all select l.sponsor_id from sponsorship l where l.user_id = p.key)`,
    'Everybody who sponsors the user: the sponsors that are theirs, and those to which they were added.',
  ),
];
