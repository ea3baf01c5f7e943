import { flag, id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'watch_channel',
    one: 'watchChannel',
    many: 'watchChannels',
    read: [anyone],
    write: noWriters,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A channel that broadcasts matches. Reference data, read-only.',
)
export class WatchChannel {
  @id('ID of the channel, a number as text.')
  id!: string;

  @text('Title, such as YouTube.', { required: true })
  title!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('Whether it is in use.')
  isEnabled!: boolean;

  @text('URL of its website.', { required: true })
  url!: string;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
