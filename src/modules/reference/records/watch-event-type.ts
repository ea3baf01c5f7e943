import { flag, id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'watch_event_type',
    one: 'watchEventType',
    many: 'watchEventTypes',
    read: [anyone],
    write: noWriters,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A type of broadcast of matches, such as live stream, television or replay. Reference data, read-only.',
)
export class WatchEventType {
  @id('ID of the type, a number as text.')
  id!: string;

  @text('Title, such as Live Stream.', { required: true })
  title!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('Whether it is in use.')
  isEnabled!: boolean;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
