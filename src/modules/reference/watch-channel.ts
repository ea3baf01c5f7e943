import { flag, id, int, num, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';

@record(
  {
    table: 'watch_channel',
    one: 'watchChannel',
    many: 'watchChannels',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A channel that shows matches. Reference data (section 2.2).',
)
export class WatchChannel {
  @id('Id.')
  id!: string;

  @text('Title.')
  title!: string | null;

  @num('Place in lists.')
  displayOrder!: number | null;

  @flag('It is used today.')
  isActive!: boolean;

  @text('URL.')
  url!: string | null;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
