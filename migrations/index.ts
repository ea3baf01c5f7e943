import type { Migration } from '@mikro-orm/migrations';
import { Migration0001Extensions } from './0001-extensions.js';

/** Every change of the schema, oldest first. A migration is added at the end and never edited once it has landed. */
export const migrations: (new (...options: ConstructorParameters<typeof Migration>) => Migration)[] = [Migration0001Extensions];
