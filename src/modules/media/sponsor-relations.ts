import { related } from '../../kernel/serve/relations.js';
import { User } from '../accounts/user.js';
import { Sponsor } from './sponsor.js';

/** Relations between users and sponsors. A sponsor stores its owner. Sponsorships store further users. */
export const sponsorRelations = [
  related(
    Sponsor,
    'users',
    User,
    [
      { past: { table: 'sponsor', from: 'id', to: ['user_id'] } },
      { past: { table: 'sponsorship', from: 'sponsor_id', to: ['user_id'] } },
    ],
    'All users of the sponsor: its owner and the users of its sponsorships.',
  ),
  related(
    User,
    'sponsors',
    Sponsor,
    [
      { past: { table: 'sponsor', from: 'user_id', to: ['id'] } },
      { past: { table: 'sponsorship', from: 'user_id', to: ['sponsor_id'] } },
    ],
    'All sponsors of the user: those they own and those of their sponsorships.',
  ),
];
