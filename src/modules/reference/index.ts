import { module } from '../../kernel/serve/module.js';
import { referenceData } from './data.js';
import { Place } from './records/locations.js';
import { RoleFields } from './role-resolver.js';

/** Reference data: lookups and roles (sections 2.2 and 2.3). */
export const reference = module({
  name: 'reference',
  description: 'Reference data: lookups for tournaments, locations, ratings and referees, and the roles.',
  records: referenceData.map(([cls]) => cls),
  values: [Place],
  resolvers: [RoleFields],
});
