import { camelExcept, decimalString, listOf, record, sameForFields, withNullAs } from '../engine/index.js';

export { attendeeEvent, attendeeHeader, eventFinalStanding } from './attendees.js';
export { team, teamUpsert, teamUpsertResponse } from './teams.js';

/** GraphQL paths of tournament fields that differ from their legacy names. */
const keys = camelExcept({
  tournamentId: 'id',
  formatCode: 'format',
  locationCity: 'location.city',
  locationCountry: 'location.country',
  locationState: 'location.state',
  locationStreetAddress: 'location.streetAddress',
  locationVenue: 'location.venue',
  locationZip: 'location.zip',
  longitude: 'location.longitude',
  latitude: 'location.latitude',
  ianaTzIdentifier: 'timeZone',
  timezoneId: 'timeZoneNumber',
  timeZoneUtcOffset: 'utcOffset',
  paymentCurrencyAbbreviation: 'currency',
  hideRegisteredPlayersInt: 'playerListVisibility',
  hideRegisteredPlayers: 'hidesPlayers',
  hideTourneyOnSearchPage: 'hidesFromSearch',
  logo: 'logoUrl',
  logoScroller: 'scrollerLogoUrl',
  contactFormRegistration: 'contact.registration',
  contactFormMyWebsiteAccount: 'contact.websiteAccount',
  contactFormRefunds: 'contact.refunds',
  contactFormOther: 'contact.other',
  contactFormRequestPartnerChange: 'contact.partnerChange',
  contactFormVolunteer: 'contact.volunteer',
  contactFormReferee: 'contact.referee',
  contactFormVendor: 'contact.vendor',
  contactFormSponsor: 'contact.sponsor',
  contactFormPublicDisplayName: 'contact.publicName',
  contactFormPublicDisplayEmail: 'contact.publicEmail',
  contactFormPublicDisplayPhone: 'contact.publicPhone',
  cancelTourney: 'isCanceled',
  costFeeOnEvents: 'chargesPerEvent',
  isPrizeMoney: 'hasPrizeMoney',
  isRegClosed: 'isRegistrationClosed',
  onlineRegistrationActive: 'hasOnlineRegistration',
  digitalScoreCardHideCourts: 'scoreCard.hidesCourts',
  digitalScoreCardHideReferees: 'scoreCard.hidesReferees',
  digitalScoreCardHideNextUp1: 'scoreCard.hidesNextMatch',
  digitalScoreCardHideNextUp2: 'scoreCard.hidesMatchAfterNext',
  countDeskMinutesToEstimatedTimeForNextUp: 'scoreCard.minutesToNextMatch',
  costRegistrationCurrent: 'registrationFee',
  tourneyFromDate: 'startsAt',
  tourneyToDate: 'endsAt',
  registrationDateOpen: 'registrationOpensAt',
  registrationDateClosed: 'registrationClosesAt',
  dateShowToPublic: 'shownFrom',
  dateHideFromPublic: 'shownUntil',
  dateArchived: 'archivedAt',
  dateCreated: 'reported.createdAt',
  dateUpdated: 'reported.updatedAt',
  lockDate: 'lockedAt',
  advertiseOnlyFromDate: 'advertisedFrom',
  advertiseOnlyToDate: 'advertisedUntil',
  dateCompleted: 'completedAt',
  governingBodies: 'approvals',
  pbTournamentCode: 'code',
  refereeAppCode: 'refereeCode',
  sendPreliminaryToPartner: 'sendsPreliminaryToPartner',
  usingPartnerSports: 'usesPartnerSports',
  usingPartnerSportsAlt: 'usesPartnerSports',
  titleSponsorLogo: 'titleSponsor.logoUrl',
  titleSponsorTagline: 'titleSponsor.tagline',
  titleSponsorTitle: 'titleSponsor.title',
  titleSponsorUrl: 'titleSponsor.url',
});

/** Governing bodies in the order of the interface document. The flag of USAP has the name `SanctionUSAPA` (decision 20). */
const bodies = ['GPA', 'PAA', 'PCO', 'SSIPA', 'USAP', 'WPF', 'PPA', 'APP', 'MLP'];
const flagOf = (body: string) => `Sanction${body === 'USAP' ? 'USAPA' : body}`;

const texts = `TournamentID ClubID Platform DetailsURL FormatCode LocationCity LocationCountry LocationState LocationStreetAddress
  LocationVenue LocationZip Logo TimeZoneAbbreviation Title ianaTzIdentifier`;
const moreTexts = 'ticketsUrl PaymentCurrencyAbbreviation hideRegisteredPlayersInt logo_scroller';
const contactTexts = `ContactFormRegistration ContactFormMyWebsiteAccount ContactFormRefunds ContactFormOther
  ContactFormRequestPartnerChange ContactFormVolunteer ContactFormReferee ContactFormVendor ContactFormSponsor
  ContactFormPublicDisplayName ContactFormPublicDisplayEmail ContactFormPublicDisplayPhone`;
const flags = 'CancelTourney CostFeeOnEvents IsPrizeMoney IsRegClosed IsFeatured OnlineRegistrationActive';
const moreFlags = 'hideRegisteredPlayers hideTourneyOnSearchPage';
const numbers = 'CostRegistrationCurrent RegistrationCount Longitude Latitude timezoneId';
const dates = `TourneyFromDate TourneyToDate RegistrationDateOpen RegistrationDateClosed DateShowToPublic DateHideFromPublic DateArchived
  dateCreated dateUpdated lockDate advertise_only_from_date advertise_only_to_date`;

export const tournamentGoverningBody = record('TournamentGoverningBody', {
  type: 'GoverningBodyApproval',
  input: 'GoverningBodyApprovalInput',
  fields: 'id approvedStatus sanctionLevelId',
  paths: { id: 'governingBodyId', approvedStatus: 'status' },
});

export const governingBodyWithName = record('TournamentGoverningBodyNamed', {
  type: 'GoverningBodyApproval',
  fields: 'id approvedStatus sanctionLevelId shortName',
  paths: { id: 'governingBodyId', approvedStatus: 'status', shortName: 'governingBody.shortName' },
});

/** A tournament in GET responses. The fields that POST responses also contain are first, in the same order. */
export const tournament = record('TournamentFlat', {
  type: 'Tournament',
  keys,
  fields: `${texts} ${moreTexts} ${contactTexts} ${flags} ${moreFlags} ${numbers} ${dates} GoverningBodies
    TimeZoneUTCOffset IsFeaturedPlus DateCompleted PBTournamentCode IsTest IsAdvertiseOnly RefereeAppCode SendPreliminaryToPartner
    UsingPartnerSports UsingPartnerSportsAlt ClubSanctionLevelId tierLevelUuid
    digitalScoreCardHideCourts digitalScoreCardHideReferees digitalScoreCardHideNextUp1 digitalScoreCardHideNextUp2
    countDeskMinutesToEstimatedTimeForNextUp titleSponsorLogo titleSponsorTagline titleSponsorTitle titleSponsorUrl`,
  as: {
    ...sameForFields('RegistrationCount countDeskMinutesToEstimatedTimeForNextUp', [decimalString, withNullAs('0')]),
    GoverningBodies: listOf(governingBodyWithName),
  },
});

/** A tournament in POST requests and responses. Its fields are in the order of section 2.1. */
export const tournamentRequest = record('TournamentSent', {
  type: 'Tournament',
  input: 'TournamentInput',
  responseRecords: [tournament],
  keys,
  fields: `${texts} tier_level_uuid ${moreTexts}
    ${bodies.map((body) => `SanctionLevelAppovedStatus${body}`).join(' ')}
    ${bodies.map((body) => `SantionLevels${body}LevelLogo SantionLevels${body}Title`).join(' ')}
    ${contactTexts} ${flags}
    SanctionGPA SanctionPAA SanctionPCO SanctionSSIPA SanctionUSAPA SanctionWPF SanctionPPA SanctionAPP SanctionMLP
    ${moreFlags} DigitalScoreCardHideCourts DigitalScoreCardHideReferees DigitalScoreCardHideNextUp1 DigitalScoreCardHideNextUp2
    ${numbers} CountDeskMinutesToEstimatedTimeForNextUp ${dates} GoverningBodies`,
  paths: Object.fromEntries(
    bodies.flatMap((body) => [
      [flagOf(body), `sanctions[body=${body}].isSanctioned`],
      [`SanctionLevelAppovedStatus${body}`, `sanctions[body=${body}].levelStatus`],
      [`SantionLevels${body}LevelLogo`, `sanctions[body=${body}].levelLogoUrl`],
      [`SantionLevels${body}Title`, `sanctions[body=${body}].levelTitle`],
    ]),
  ),
  as: { GoverningBodies: listOf(tournamentGoverningBody) },
});

// Referees of tournaments (section 4.10).

export const tournamentReferee = record('TournamentRefereeRecord', {
  type: 'TournamentReferee',
  fields: 'uuid tournamentUuid userUuid',
});

export const tournamentRefereeRequest = record('TournamentRefereeSent', {
  input: 'TournamentRefereeInput',
  responseRecords: [tournamentReferee],
  fields: 'tournament_uuid user_uuid',
});

export const listedTournamentReferee = record('TournamentRefereeListed', {
  type: 'TournamentReferee',
  fields: 'uuid tournamentUuid userUuid firstName lastName nameSuffix',
  paths: { firstName: 'user.firstName', lastName: 'user.lastName', nameSuffix: 'user.nameSuffix' },
});
