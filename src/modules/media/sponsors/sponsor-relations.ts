import { relatedRecords } from '../../../kernel/serve/relations.js';
import { User } from '../../accounts/users/user.js';
import { Sponsor } from './sponsor.js';

/** Relations between users and sponsors. A sponsor stores its owner. Sponsorships store further users. */
export const sponsorRelations = [
  relatedRecords(
    Sponsor,
    'users',
    User,
    [
      { through: { table: 'sponsor', parentColumn: 'id', valueColumns: ['user_id'] } },
      { through: { table: 'sponsorship', parentColumn: 'sponsor_id', valueColumns: ['user_id'] } },
    ],
    'All users of the sponsor: its owner and the users of its sponsorships.',
  ),
  relatedRecords(
    User,
    'sponsors',
    Sponsor,
    [
      { through: { table: 'sponsor', parentColumn: 'user_id', valueColumns: ['id'] } },
      { through: { table: 'sponsorship', parentColumn: 'user_id', valueColumns: ['sponsor_id'] } },
    ],
    'All sponsors of the user: those they own and those of their sponsorships.',
  ),
];
