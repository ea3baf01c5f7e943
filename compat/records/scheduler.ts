import { camelExcept, computed, enumNumber, nested, readOnly, record } from '../engine/index.js';

const repeatNumbers = { DAILY: 1, WEEKLY: 2, MONTHLY: 3 };
const repeatNames = Object.fromEntries(Object.keys(repeatNumbers).map((name) => [name, `${name}_REPEAT_TYPE`]));
const noRepeat = 'UNDEFINED_REPEAT_TYPE';

/** Enum values of `repeats`, keyed by their names in list responses. Requests may also send these names. */
const repeatsByName = {
  [noRepeat]: null,
  ...Object.fromEntries(Object.entries(repeatNames).map(([name, listName]) => [listName, name])),
};

/** Field of list responses that contains the name of the repetition interval. */
const repeatName = computed<{ repeats: string | null }>('repeats', ({ repeats }) => repeatNames[repeats ?? ''] ?? noRepeat, {
  type: 'string',
  enum: [noRepeat, ...Object.values(repeatNames)],
});

/** GraphQL paths of game fields that differ from their legacy names. */
const keys = camelExcept({
  courtLocationId: 'courtId',
  date: 'day',
  startTime: 'startsAt',
  endTime: 'endsAt',
  isRepeatSchedule: 'isRepeated',
  skillFrom: 'skill.from',
  skillTo: 'skill.to',
  skillNotUsed: 'skill.isIgnored',
  ageFrom: 'age.from',
  ageTo: 'age.to',
  ageNotUsed: 'age.isIgnored',
  genderM: 'genders.men',
  genderF: 'genders.women',
  genderAny: 'genders.any',
  genderNotUsed: 'genders.isIgnored',
  minimumCount: 'minPlayers',
  maximumCount: 'maxPlayers',
  useWaitingList: 'hasWaitingList',
  dateTimeWaitListAutomationStops: 'isWaitingListManual',
  gameTypeAny: 'types.any',
  gameTypeSingles: 'types.singles',
  gameTypeDoubles: 'types.doubles',
  gameTypeSkinny: 'types.skinny',
  gameTypeDrills: 'types.drills',
  allowInvitedPlayersToSeeList: 'showsPlayersToInvited',
  allowPlayersToAddNotes: 'allowsPlayerNotes',
  allowNonPlayersToAddNotes: 'allowsOtherNotes',
  optedInPlayerIds: 'playerIds',
  optedInPlayersIds: 'playerIds',
  didCheckWaiver: 'isWaiverAccepted',
  dateArchived: 'archivedAt',
  invitePlayersIds: 'invitedIds',
  invitePlayersEmails: 'invitedEmails',
  timezoneAbbreviation: 'timeZoneAbbreviation',
  timezoneName: 'timeZone',
  dateLocalized: 'legacy.localDay',
  startTimeLocalized: 'localStartsAt',
  endTimeLocalized: 'localEndsAt',
  timezoneOffset: 'utcOffset',
  optedInCount: 'playerCount',
  isFavorite: 'isViewerFavorite',
  ownerFirstname: 'owner.firstName',
  ownerLastname: 'owner.lastName',
  dateCreated: 'createdAt',
  waitlistCount: 'waitingCount',
  isUserOnWaitlist: 'isViewerWaiting',
  repeatedParentId: 'parentId',
  ownerProfileImage: 'owner.imageUrl',
  groupInfo: 'group',
});

const fields = `uuid ownerUuid courtLocationUuid title date startTime endTime isRepeatSchedule skillFrom skillTo skillNotUsed ageFrom ageTo
  ageNotUsed genderM genderF genderAny genderNotUsed isPartnersOnly minimumCount maximumCount totalPlayers useWaitingList
  dateTimeWaitListAutomationStops isInviteOnly gameTypeAny gameTypeSingles gameTypeDoubles gameTypeSkinny gameTypeDrills
  allowInvitedPlayersToSeeList description allowPlayersToAddNotes allowNonPlayersToAddNotes optedInPlayerUuids didCheckWaiver dateArchived
  invitePlayersUuids invitePlayersEmails repeats groupUuid timezoneAbbreviation timezoneName dateLocalized startTimeLocalized
  endTimeLocalized timezoneOffset`;

export const game = record('GameScheduler', {
  type: 'Game',
  input: 'GameInput',
  fields,
  owner: 'ownerUuid',
  keys,
  as: { uuid: readOnly, repeats: enumNumber(repeatNumbers, repeatsByName) },
});

export const gameGroup = record('GameSchedulerGroup', {
  type: 'GameGroup',
  fields: 'uuid name minSkill maxSkill picture description privateGroup allowPlayerInvites displayAdminInfo ownerUuid',
  keys: camelExcept({
    name: 'title',
    picture: 'imageUrl',
    privateGroup: 'isPrivate',
    allowPlayerInvites: 'allowsPlayerInvites',
    displayAdminInfo: 'showsAdmins',
  }),
});

export const listedGame = record('ListedGameScheduler', {
  type: 'Game',
  fields: `${fields} optedInCount isFavorite ownerFirstname ownerLastname dateCreated waitlistCount isUserOnWaitlist optedInPlayersUuids
    repeatedParentUuid ownerProfileImage groupInfo`,
  keys,
  as: { repeats: repeatName, groupInfo: nested(gameGroup) },
});
