import { int } from '../../../kernel/declare/fields/fields.js';
import type { RecordOptions } from '../../../kernel/declare/fields/options.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';

/** Record options of reference data: everybody can read it, and only the service writes it. */
export const lookupOptions: Pick<RecordOptions, 'read' | 'write' | 'rootFields' | 'order'> = {
  read: [anyone],
  write: noWriters,
  rootFields: ['one', 'many'],
  order: [{ field: 'position', direction: 'ASC' }],
};

/** Reference data with a position in a published list. */
export abstract class OrderedLookup {
  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
