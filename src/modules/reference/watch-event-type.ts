import { flag, id, int, text } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

@record(
  {
    table: 'watch_event_type',
    one: 'watchEventType',
    many: 'watchEventTypes',
    read: [anyone],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A way in which matches are shown: stream, television, replay. Reference data, read only.',
)
export class WatchEventType {
  @id('Id of the kind, a number as text.')
  id!: string;

  @text('Title, such as Live Stream.', { required: true })
  title!: string;

  @int('Place in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('It is used today.')
  isEnabled!: boolean;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
