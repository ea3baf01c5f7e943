import { expression, parameter, tableNamed } from '../../../kernel/declare/expression.js';
import { flag, id, instant, ref } from '../../../kernel/declare/fields/fields.js';
import { visitor } from '../../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { relatedRecords } from '../../../kernel/serve/relations.js';
import { User } from '../../accounts/users/user.js';
import { canConfirm } from '../approval/confirmers.js';
import { isOwnSponsor, Sponsor } from './sponsor.js';

@record(
  {
    table: 'sponsorship',
    changeLogColumns: ['sponsorId'],
    one: 'sponsorship',
    many: 'sponsorships',
    read: [visitor],
    write: { policies: staffPolicies() },
    audited: ['sponsorId', 'userId'],
    rootFields: ['one', 'many', 'delete'],
    key: ['sponsorId', 'userId'],
    visibleCondition: (caller, row) =>
      canConfirm(caller)
        ? null
        : expression`exists (select from ${tableNamed('sponsor')} s where s.id = ${row}.sponsor_id
             and (s.approval_state = 'APPROVED' or ${isOwnSponsor(parameter(caller.user?.id ?? ''), row.for('s'))}))`,
  },
  'Relation between a sponsor and a user other than its owner. Visible to callers who can see the sponsor.',
)
export class Sponsorship extends TrackedRecord {
  @id('ID of the sponsorship.')
  id!: string;

  @ref(() => Sponsor, { one: 'sponsor', many: 'sponsorships' }, 'Sponsor that supports the user.')
  sponsorId!: string | null;

  @ref(() => User, { one: 'user', many: 'sponsorships' }, 'Sponsored user.')
  userId!: string | null;

  @instant('When the sponsorship started.')
  startedAt!: string | null;

  @flag('Whether this is the main sponsor of the user.')
  isPrimary!: boolean;
}

/** Relations between users and sponsors. A sponsor stores its owner, and sponsorships store further users. */
export const sponsorRelations = [
  relatedRecords(
    Sponsor,
    'users',
    User,
    [
      { through: { table: 'sponsor', parentColumn: 'id', valueColumns: ['user_id'] } },
      { through: { table: 'sponsorship', parentColumn: 'sponsor_id', valueColumns: ['user_id'] } },
    ],
    'All users that the sponsor supports: its owner, and the users of its sponsorships.',
  ),
  relatedRecords(
    User,
    'sponsors',
    Sponsor,
    [
      { through: { table: 'sponsor', parentColumn: 'user_id', valueColumns: ['id'] } },
      { through: { table: 'sponsorship', parentColumn: 'user_id', valueColumns: ['sponsor_id'] } },
    ],
    'All sponsors of the user: those that the user owns, and those that the user has a sponsorship for.',
  ),
];
