import { readOnly, record } from '../engine/index.js';

// Clubs and search records of leagues (section 2.17). Club keys are camelCase in requests and snake_case in responses.

const contactForm = {
  contactPerson1UserUuid: 'firstContactId',
  contactPerson2UserUuid: 'secondContactId',
  contactFormRegistration: 'contact.registration',
  contactFormMyWebsiteAccount: 'contact.websiteAccount',
  contactFormRefunds: 'contact.refunds',
  contactFormOther: 'contact.other',
};

/** Converts one or more camelCase names to snake_case: `contactPerson1UserUuid` → `contact_person1_user_uuid`. */
const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toSnakeCasePaths = (paths: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [toSnakeCase(name), path]));

const contactFields = Object.keys(contactForm).join(' ');

export const club = record('Club', {
  type: 'Club',
  fields: `uuid slug title ${toSnakeCase(contactFields)}`,
  paths: toSnakeCasePaths(contactForm),
});

export const clubRequest = record('ClubSent', {
  input: 'ClubInput',
  responseRecords: [club],
  fields: `uuid title ${contactFields}`,
  paths: contactForm,
});

export const leagueListing = record('LeagueListing', {
  type: 'LeagueListing',
  input: 'LeagueListingInput',
  fields: `uuid slug title ${contactFields}`,
  paths: contactForm,
  as: { slug: readOnly },
});

// Leagues (section 2.20).

const leagueFields = `leagueId clubId clubTitle clubLogo formatId formatTitle playerGroupId platerGroupTitle leagueTypeId leagueTypeTitle
  playerTypeId playerTypeTitle leagueTitle leagueLogo utcOffset clubVenue clubStreetAddress clubCountryTitle clubStateTitle clubCity clubZip
  leagueSessionId sessionNumber locationId playerSignupAndPaymentType registrationCount disabledByFullName hasDst isFlexPlaySchedule
  onlineRegistrationActive allowNonMemberSignup isLocked isReadOnlyMode isLiveSession isTest costRegistrationMember
  costRegistrationNonMember showToPublicDate registrationDateOpen registrationDateClosed dateDisabled`;

const leaguePaths = {
  leagueId: 'id',
  platerGroupTitle: 'playerGroupTitle',
  leagueTypeId: 'typeId',
  leagueTypeTitle: 'typeTitle',
  leagueTitle: 'title',
  leagueLogo: 'logoUrl',
  clubLogo: 'clubLogoUrl',
  clubVenue: 'location.venue',
  clubStreetAddress: 'location.streetAddress',
  clubCountryTitle: 'location.country',
  clubStateTitle: 'location.state',
  clubCity: 'location.city',
  clubZip: 'location.zip',
  leagueSessionId: 'sessionId',
  playerSignupAndPaymentType: 'signup',
  disabledByFullName: 'disabledBy',
  hasDst: 'hasDaylightSaving',
  isFlexPlaySchedule: 'isFlexPlay',
  onlineRegistrationActive: 'hasOnlineRegistration',
  allowNonMemberSignup: 'allowsNonMembers',
  isReadOnlyMode: 'isReadOnly',
  costRegistrationMember: 'memberFee',
  costRegistrationNonMember: 'nonMemberFee',
  showToPublicDate: 'shownFrom',
  registrationDateOpen: 'registrationOpensAt',
  registrationDateClosed: 'registrationClosesAt',
  dateDisabled: 'disabledAt',
};

/** A league in responses to requests by slug. Keys are snake_case, and `slug` is added. */
export const leagueBySlug = record('LeagueBySlug', {
  type: 'League',
  fields: `${toSnakeCase(leagueFields)} slug`,
  paths: toSnakeCasePaths(leaguePaths),
});

export const league = record('League', {
  type: 'League',
  input: 'LeagueInput',
  responseRecords: [leagueBySlug],
  fields: leagueFields,
  paths: leaguePaths,
});
