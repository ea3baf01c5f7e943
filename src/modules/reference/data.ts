import type { RecordClass } from '../../kernel/declare/meta.js';
import type { Row } from '../../kernel/session.js';
import { AmenityType } from './records/amenity-type.js';
import { BracketLevel } from './records/bracket-level.js';
import { ContactReason } from './records/contact-reason.js';
import { Country } from './records/country.js';
import { Currency } from './records/currency.js';
import { EquipmentType } from './records/equipment-type.js';
import { Format } from './records/format.js';
import { GoverningBody } from './records/governing-body.js';
import { ModuleType } from './records/module-type.js';
import { PlayerGroup } from './records/player-group.js';
import { ProLevel } from './records/pro-level.js';
import { PushNotificationType } from './records/push-notification-type.js';
import { RankingDivision } from './records/ranking-division.js';
import { RatingLevel } from './records/rating-level.js';
import { RefereeTerm } from './records/referee-term.js';
import { Role } from './records/role.js';
import { State } from './records/state.js';
import { SystemTextNumber } from './records/system-text-number.js';
import { TierLevel } from './records/tier-level.js';
import { TimeZone } from './records/time-zone.js';
import { WatchChannel } from './records/watch-channel.js';
import { WatchEventType } from './records/watch-event-type.js';

/** Imports the rows of a record. The import is dynamic, because all rows take half a megabyte and few processes need them. */
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
