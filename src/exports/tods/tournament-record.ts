import { dateOn } from '../dates.js';
import type { Entry, EventData, Referee, StandingData, TeamData, TournamentData } from './documents.js';
import { eventOf, statusesOf } from './events.js';
import { participantsOf, withSeedings } from './participants.js';
import { withoutEmptyValues } from './without-empty-values.js';

const phases = {
  CANCELED: 'CANCELLED',
  ANNOUNCED: 'ACTIVE',
  REGISTERING: 'ACTIVE',
  CLOSED: 'ACTIVE',
  PLAYING: 'IN_PROGRESS',
  OVER: 'COMPLETED',
} as const;

/**
 * Returns an array with the venue of a tournament. Empty if the venue is unknown. The venue ID is derived from the tournament ID, because
 * venues have no ID in the graph.
 */
function venuesOf({ id, location }: TournamentData) {
  const { venue, streetAddress, city, legacy, zip, latitude, longitude, country } = location;
  const address = withoutEmptyValues({
    addressLine1: streetAddress,
    city,
    state: legacy.state,
    postalCode: zip,
    countryCode: country?.abbreviation,
    latitude,
    longitude,
  });
  const hasAddress = Object.keys(address).length > 0;
  if (!venue && !hasAddress) return [];
  return [
    {
      venueId: `venue-${id}`,
      ...withoutEmptyValues({ venueName: venue }),
      ...(hasAddress ? { addresses: [{ addressType: 'VENUE', ...address }] } : {}),
    },
  ];
}

/** Data from which a tournament record is built. */
interface TournamentRecordData {
  readonly tournament: TournamentData;
  readonly events: readonly EventData[];
  readonly teams: readonly TeamData[];
  readonly referees: readonly Referee[];
  readonly standings: readonly StandingData[];
  readonly entries: readonly Entry[];
}

/** Builds a tournament record in the format of the Tournament Open Data Standards (https://itftennis.atlassian.net/wiki/spaces/TODS). */
export function tournamentRecord({ tournament, teams, referees, standings, entries, ...data }: TournamentRecordData) {
  const { title, startsAt, endsAt, timeZone, utcOffset, location, registrationOpensAt, registrationClosesAt } = tournament;
  const clock = { timeZone: timeZone?.ianaName ?? null, utcOffset };
  const participants = participantsOf(teams, referees);
  const eventContext = { teams, participants, statuses: statusesOf(entries), standings };
  const events = data.events.map((event) => eventOf(event, clock, eventContext));
  const registrationProfile = withoutEmptyValues({ entriesOpen: registrationOpensAt, entriesClose: registrationClosesAt });
  return {
    tournamentId: tournament.id,
    ...withoutEmptyValues({
      tournamentName: title,
      tournamentRank: tournament.tierLevel?.title,
      tournamentStatus: phases[tournament.phase],
      startDate: startsAt && dateOn(startsAt, clock),
      endDate: endsAt && dateOn(endsAt, clock),
      localTimeZone: clock.timeZone,
      hostCountryCode: location.country?.abbreviation,
      parentOrganisationId: tournament.clubId,
      registrationProfile: Object.keys(registrationProfile).length ? registrationProfile : null,
      onlineResources: tournament.detailsUrl
        ? [{ resourceType: 'URL', resourceSubType: 'WEBSITE', identifier: tournament.detailsUrl }]
        : null,
      venues: venuesOf(tournament),
    }),
    ...(tournament.isTest ? { isMock: true } : {}),
    participants: withSeedings(participants, teams, events),
    events,
    createdAt: tournament.createdAt,
    updatedAt: tournament.updatedAt,
  };
}
