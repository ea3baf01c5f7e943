import { related } from '../../kernel/serve/relations.js';
import { User } from '../accounts/user.js';
import { Sponsor } from './sponsor.js';

/** Users and sponsors: the one whose a sponsor is stands in it, further ones in sponsorships. */
export const sponsorRelations = [
  related(
    Sponsor,
    'users',
    User,
    [
      { past: { table: 'sponsor', from: 'id', to: ['user_id'] } },
      { past: { table: 'sponsorship', from: 'sponsor_id', to: ['user_id'] } },
    ],
    'Everybody whom it sponsors: the user whose it is, and those that were added.',
  ),
  related(
    User,
    'sponsors',
    Sponsor,
    [
      { past: { table: 'sponsor', from: 'user_id', to: ['id'] } },
      { past: { table: 'sponsorship', from: 'user_id', to: ['sponsor_id'] } },
    ],
    'Everybody who sponsors the user: the sponsors that are theirs, and those to which they were added.',
  ),
];
