import { asCommaText, computed, decimalString, record, sameForFields } from '../engine/index.js';

// Lookups (section 2.2).

export const bracketLevel = record('BracketLevelLookup', {
  type: 'BracketLevel',
  fields: 'id title displayOrder isEnabled publicDisplayOrder',
  as: sameForFields('displayOrder publicDisplayOrder', decimalString),
});

export const format = record('FormatLookup', {
  type: 'Format',
  fields: 'id title displayOrder isEnabled partnerNeeded shortHand',
  paths: { partnerNeeded: 'needsPartner', shortHand: 'abbreviation' },
});

export const playerGroup = record('PlayerGroupLookup', { type: 'PlayerGroup', fields: 'id title description displayOrder' });

export const proLevel = record('ProLevelLookup', { type: 'ProLevel', fields: 'id title displayOrder isEnabled isPro' });

export const contactReason = record('ContactReasonLookup', {
  type: 'ContactReason',
  fields: 'id name isTournament isPlatform',
  paths: { name: 'title', isTournament: 'isForTournaments', isPlatform: 'isForPlatforms' },
});

export const country = record('CountryLookup', {
  type: 'Country',
  fields: `id abbreviation title internationalCountryCallingCode stateTitle zipCodeTitle systemTextNumberId abbreviation2Digit region_id`,
  paths: { internationalCountryCallingCode: 'callingCode', abbreviation2Digit: 'alpha2', region_id: 'continentNumber' },
});

export const governingBody = record('GoverningBodyLookup', {
  type: 'GoverningBody',
  fields: 'id name shortName isActive isSearchFilter filterSearchParam displayOrder url clubId logoUrl',
  paths: { name: 'title', isActive: 'isEnabled', filterSearchParam: 'searchParameter' },
});

export const rating = record('RatingLookup', {
  type: 'RatingLevel',
  fields: 'id title from to selfStartPoint hierarchy isEnabled',
  paths: { from: 'lowest', to: 'highest' },
});

export const rankingDivision = record('RankingDivisionLookup', {
  type: 'RankingDivision',
  fields: 'id title displayOrder isActive',
  paths: { isActive: 'isEnabled' },
});

export const state = record('StateLookup', { type: 'State', fields: 'id abbreviation title countryId' });

export const timeZone = record('TimeZoneLookup', {
  type: 'TimeZone',
  fields: `id utcOffset name abbreviation fullName hasDst ianaTzIdentifier daylightChange nonDaylightChange
    daylightSavingAbbreviation daylightSavingUtcOffset`,
  paths: {
    name: 'title',
    hasDst: 'hasDaylightSaving',
    ianaTzIdentifier: 'ianaName',
    daylightChange: 'daylightStartsAt',
    nonDaylightChange: 'standardStartsAt',
    daylightSavingAbbreviation: 'daylightAbbreviation',
    daylightSavingUtcOffset: 'daylightUtcOffset',
  },
});

export const watchEventType = record('WatchEventTypeLookup', {
  type: 'WatchEventType',
  fields: 'id title displayOrder isActive',
  paths: { isActive: 'isEnabled' },
});

export const watchChannel = record('WatchChannelLookup', {
  type: 'WatchChannel',
  fields: 'id title displayOrder isActive url',
  paths: { isActive: 'isEnabled' },
});

export const amenityType = record('AmenityTypeLookup', { type: 'AmenityType', fields: 'id title isEnabled displayOrder' });

export const systemTextNumber = record('SystemTextNumberLookup', {
  type: 'SystemTextNumber',
  fields: 'id phoneNumber isEnabled textPlatform',
  paths: { textPlatform: 'provider' },
});

export const moduleType = record('ModuleTypeLookup', { type: 'ModuleType', fields: 'id title' });

export const equipmentType = record('EquipmentTypeLookup', {
  type: 'EquipmentType',
  fields: 'id title isActive',
  paths: { isActive: 'isEnabled' },
});

export const tierLevel = record('TierLevelLookup', {
  type: 'TierLevel',
  fields: 'uuid tierName',
  paths: { uuid: 'id', tierName: 'title' },
});

export const currency = record('CurrencyLookup', { type: 'Currency', fields: 'id title abbreviation' });

export const role = record('RoleLookup', {
  type: 'Role',
  fields: 'id title inheritedIds',
  as: { inheritedIds: asCommaText },
});

export const roleOfModule = record('RoleOfModule', {
  type: 'Role',
  fields: 'id title inherited_ids',
  as: { inherited_ids: asCommaText },
});

export const pushNotificationType = record('PushNotificationTypeLookup', {
  type: 'PushNotificationType',
  fields: 'id title description isEnabled',
});

// Referee terms (section 2.3).

/** Misspelled names of referee terms in `/v1`, by kind and code. GraphQL has the correct titles. */
export const refereeNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PENALTY_TYPE: { 1: 'Tehnical Warning', 2: 'Tehnical Foul' },
  LOG_TYPE: { 2: 'Challange' },
  REPLAY_REASON_TYPE: { 4: 'Hinderance (Stray Ball, Toppled Net, etc.)' },
  RALLY_COMPLETED_TYPE: { 15: 'Wrong Reciever' },
};

interface RefereeTerm {
  kind: string;
  code: string;
  title: string;
}

const legacyName = computed<RefereeTerm>('kind code title', ({ kind, code, title }) => refereeNames[kind]?.[code] ?? title, {
  type: 'string',
  description: 'Title of the term.',
  'x-graphql': 'RefereeTerm.title',
});

export const refereeTerm = record('RefereeTermLookup', {
  type: 'RefereeTerm',
  fields: 'id name',
  paths: { id: 'code' },
  as: { name: legacyName },
});

export const timeoutType = record('TimeoutTypeLookup', {
  type: 'RefereeTerm',
  fields: 'id name length_in_minutes',
  paths: { id: 'code' },
  as: { name: legacyName, length_in_minutes: decimalString },
});
