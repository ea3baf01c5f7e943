import { flag, id, num, prose, ref, text } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { User } from '../accounts/user.js';
import { listedGroups, visibleGroups } from './visible-groups.js';

@record(
  {
    table: 'game_group',
    one: 'gameGroup',
    many: 'gameGroups',
    read: [platform, user],
    write: { by: [platform], owner: 'ownerId' },
    rootFields: ['one', 'many'],
    visible: visibleGroups,
    listed: listedGroups,
  },
  'A group of players who schedule games together. Private ones are seen by who runs them and by who sees one of their games, and listed for their members only: whose their games are, who plays in them, waits or is invited. Platforms and admins see all.',
)
export class GameGroup extends Kept {
  @id('Id of the group.')
  id!: string;

  @text('Title.', { max: 500 })
  title!: string | null;

  @num('Lowest rating of players who fit, such as 3.5.')
  minSkill!: number | null;

  @num('Highest rating of players who fit, such as 4.5.')
  maxSkill!: number | null;

  @text('URL of the image.')
  imageUrl!: string | null;

  @prose('What the group is about.')
  description!: string | null;

  @flag('It is private: not listed for others than its members.')
  isPrivate!: boolean;

  @flag('Its players may invite others.')
  allowsPlayerInvites!: boolean;

  @flag('It shows who runs it.')
  showsAdmins!: boolean;

  @ref(() => User, { one: 'owner', many: 'gameGroups' }, 'Who runs it.')
  ownerId!: string | null;
}
