import { flag, id, longText, num, ref, text } from '../../../kernel/declare/fields/fields.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { User } from '../../accounts/users/user.js';
import { listedGroups, visibleGroups } from './visible-groups.js';

@record(
  {
    table: 'game_group',
    one: 'gameGroup',
    many: 'gameGroups',
    read: [platform, user],
    write: { policies: [platform], owner: 'ownerId' },
    rootFields: ['one', 'many'],
    visibleCondition: visibleGroups,
    listCondition: listedGroups,
  },
  'Group of players who schedule games together. A private group is visible to its owner and to users who see one of its games. Lists contain it only for its owner and its members: owners, players, waiting and invited users of its games. Platforms and admins see all groups.',
)
export class GameGroup extends TrackedRecord {
  @id('ID of the group.')
  id!: string;

  @text('Title.', { max: 500 })
  title!: string | null;

  @num('Minimum rating of the players, such as 3.5.')
  minSkill!: number | null;

  @num('Maximum rating of the players, such as 4.5.')
  maxSkill!: number | null;

  @text('URL of the image.')
  imageUrl!: string | null;

  @longText('Description of the group.')
  description!: string | null;

  @flag('Whether the group is private. Lists contain private groups only for their members.')
  isPrivate!: boolean;

  @flag('Whether players may invite others.')
  allowsPlayerInvites!: boolean;

  @flag('Whether the group shows its owner.')
  showsAdmins!: boolean;

  @ref(() => User, { one: 'owner', many: 'gameGroups' }, 'Owner of the group.')
  ownerId!: string | null;
}
