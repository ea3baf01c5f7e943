import type { RecordClass } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import type { Row } from '../../kernel/session.js';
import { BracketLevel, Format, PlayerGroup } from './records/event-lookups.js';
import { Country, Currency, State, SystemTextNumber, TimeZone } from './records/locations.js';
import { ContactReason, ModuleType, PushNotificationType } from './records/platform-lookups.js';
import { EquipmentType, ProLevel, RankingDivision, RatingLevel } from './records/player-lookups.js';
import { RefereeTerm } from './records/referee-term.js';
import { Role } from './records/role.js';
import { AmenityType, GoverningBody, TierLevel, WatchChannel, WatchEventType } from './records/tournament-lookups.js';

/** Imports the rows of a record. The import is dynamic, because all rows together take half a megabyte and few processes need them. */
type ImportRows = () => Promise<{ default: readonly Row[] }>;

/** All reference records with their rows, in the order of the published lists. */
export const referenceData: readonly (readonly [RecordClass, ImportRows])[] = [
  [AmenityType, () => import('./data/amenityTypes.json', { with: { type: 'json' } })],
  [BracketLevel, () => import('./data/bracketLevels.json', { with: { type: 'json' } })],
  [ContactReason, () => import('./data/contactReasons.json', { with: { type: 'json' } })],
  [Country, () => import('./data/countries.json', { with: { type: 'json' } })],
  [Currency, () => import('./data/currencies.json', { with: { type: 'json' } })],
  [EquipmentType, () => import('./data/equipmentTypes.json', { with: { type: 'json' } })],
  [Format, () => import('./data/formats.json', { with: { type: 'json' } })],
  [GoverningBody, () => import('./data/governingBodies.json', { with: { type: 'json' } })],
  [ModuleType, () => import('./data/moduleTypes.json', { with: { type: 'json' } })],
  [PlayerGroup, () => import('./data/playerGroups.json', { with: { type: 'json' } })],
  [ProLevel, () => import('./data/proLevels.json', { with: { type: 'json' } })],
  [PushNotificationType, () => import('./data/pushNotificationTypes.json', { with: { type: 'json' } })],
  [RankingDivision, () => import('./data/rankingDivisions.json', { with: { type: 'json' } })],
  [RatingLevel, () => import('./data/ratings.json', { with: { type: 'json' } })],
  [RefereeTerm, () => import('./data/refereeTerms.json', { with: { type: 'json' } })],
  [Role, () => import('./data/roles.json', { with: { type: 'json' } })],
  [State, () => import('./data/states.json', { with: { type: 'json' } })],
  [SystemTextNumber, () => import('./data/systemTextNumbers.json', { with: { type: 'json' } })],
  [TierLevel, () => import('./data/tierLevels.json', { with: { type: 'json' } })],
  [TimeZone, () => import('./data/timezones.json', { with: { type: 'json' } })],
  [WatchChannel, () => import('./data/watchChannels.json', { with: { type: 'json' } })],
  [WatchEventType, () => import('./data/watchEventTypes.json', { with: { type: 'json' } })],
];

/** Returns the rows of the reference data for a table. Empty for other tables. */
export async function referenceRowsOf(table: string): Promise<readonly Row[]> {
  const [, importRows] = referenceData.find(([cls]) => optionsOf(cls).table === table) ?? [];
  return importRows ? (await importRows()).default : [];
}
