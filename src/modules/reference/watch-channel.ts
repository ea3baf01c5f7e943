import { flag, id, int, text } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

@record(
  {
    table: 'watch_channel',
    one: 'watchChannel',
    many: 'watchChannels',
    read: [anyone],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A channel that shows matches. Reference data, read only.',
)
export class WatchChannel {
  @id('Id of the channel, a number as text.')
  id!: string;

  @text('Title, such as YouTube.', { required: true })
  title!: string;

  @int('Place in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('It is used today.')
  isEnabled!: boolean;

  @text('URL of its website.', { required: true })
  url!: string;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
