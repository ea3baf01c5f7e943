import type { RecordClass } from '../../kernel/declare/meta.js';
import type { Row } from '../../kernel/session.js';
import { AmenityType } from './amenity-type.js';
import { BracketLevel } from './bracket-level.js';
import { ContactReason } from './contact-reason.js';
import { Country } from './country.js';
import { Currency } from './currency.js';
import amenityTypes from './data/amenityTypes.json' with { type: 'json' };
import bracketLevels from './data/bracketLevels.json' with { type: 'json' };
import contactReasons from './data/contactReasons.json' with { type: 'json' };
import countries from './data/countries.json' with { type: 'json' };
import currencies from './data/currencies.json' with { type: 'json' };
import equipmentTypes from './data/equipmentTypes.json' with { type: 'json' };
import formats from './data/formats.json' with { type: 'json' };
import governingBodies from './data/governingBodies.json' with { type: 'json' };
import moduleTypes from './data/moduleTypes.json' with { type: 'json' };
import playerGroups from './data/playerGroups.json' with { type: 'json' };
import proLevels from './data/proLevels.json' with { type: 'json' };
import pushNotificationTypes from './data/pushNotificationTypes.json' with { type: 'json' };
import rankingDivisions from './data/rankingDivisions.json' with { type: 'json' };
import ratings from './data/ratings.json' with { type: 'json' };
import refereeTerms from './data/refereeTerms.json' with { type: 'json' };
import roles from './data/roles.json' with { type: 'json' };
import states from './data/states.json' with { type: 'json' };
import systemTextNumbers from './data/systemTextNumbers.json' with { type: 'json' };
import tierLevels from './data/tierLevels.json' with { type: 'json' };
import timezones from './data/timezones.json' with { type: 'json' };
import watchChannels from './data/watchChannels.json' with { type: 'json' };
import watchEventTypes from './data/watchEventTypes.json' with { type: 'json' };
import { EquipmentType } from './equipment-type.js';
import { Format } from './format.js';
import { GoverningBody } from './governing-body.js';
import { ModuleType } from './module-type.js';
import { PlayerGroup } from './player-group.js';
import { ProLevel } from './pro-level.js';
import { PushNotificationType } from './push-notification-type.js';
import { RankingDivision } from './ranking-division.js';
import { RatingLevel } from './rating-level.js';
import { RefereeTerm } from './referee-term.js';
import { Role } from './role.js';
import { State } from './state.js';
import { SystemTextNumber } from './system-text-number.js';
import { TierLevel } from './tier-level.js';
import { TimeZone } from './time-zone.js';
import { WatchChannel } from './watch-channel.js';
import { WatchEventType } from './watch-event-type.js';

/** Every reference record with its rows, in the order in which they are published. The manifest and the loader derive from it. */
export const referenceData: readonly (readonly [RecordClass, readonly Row[]])[] = [
  [AmenityType, amenityTypes],
  [BracketLevel, bracketLevels],
  [ContactReason, contactReasons],
  [Country, countries],
  [Currency, currencies],
  [EquipmentType, equipmentTypes],
  [Format, formats],
  [GoverningBody, governingBodies],
  [ModuleType, moduleTypes],
  [PlayerGroup, playerGroups],
  [ProLevel, proLevels],
  [PushNotificationType, pushNotificationTypes],
  [RankingDivision, rankingDivisions],
  [RatingLevel, ratings],
  [RefereeTerm, refereeTerms],
  [Role, roles],
  [State, states],
  [SystemTextNumber, systemTextNumbers],
  [TierLevel, tierLevels],
  [TimeZone, timezones],
  [WatchChannel, watchChannels],
  [WatchEventType, watchEventTypes],
];
