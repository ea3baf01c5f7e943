import { either, firstOf, type LegacyRecord, list, query, type Route, routes, value } from '../engine/index.js';
import * as records from '../records/reference.js';

/** Reference data changes only when a release brings other. */
const keep = true;

/** A lookup without parameters: everything, under `results`. */
const lookup = (record: LegacyRecord, many: string, summary: string): Route => ({
  auth: either,
  run: `{ ${many} { nodes { ...${record.name} } } }`,
  reply: list(record, { total: null }),
  keep,
  summary,
});

/** One vocabulary of referees. */
const terms = (kind: string, summary: string, record = records.refereeTerm): Route => ({
  auth: either,
  run: `{ refereeTerms(filter: { kind: { eq: ${kind} } }) { totalCount nodes { ...${record.name} } } }`,
  reply: list(record, { total: 'total_records' }),
  keep,
  summary,
});

const retirementReasons = terms('RETIREMENT_REASON', 'Why a match was retired from.');

/** Lookups and roles (sections 2.2 and 2.3). */
export const referenceRoutes = routes({
  'GET /v1/data/lookup_bracket_levels': lookup(records.bracketLevel, 'bracketLevels', 'Levels of the brackets.'),
  'GET /v1/data/lookup_formats': lookup(records.format, 'formats', 'Formats of play.'),
  'GET /v1/data/lookup_player_groups': lookup(records.playerGroup, 'playerGroups', 'Groups of players.'),
  'GET /v1/data/lookup_pro_levels': lookup(records.proLevel, 'proLevels', 'Levels from amateur to professional.'),
  'GET /v1/data/lookup_contact_us_reasons': {
    auth: either,
    args: { filter: { isForTournaments: query.bool('tournament'), isForPlatforms: query.bool('platforms') } },
    run: 'query ($filter: ContactReasonFilter) { contactReasons(filter: $filter) { totalCount nodes { ...ContactReasonLookup } } }',
    reply: list(records.contactReason, { total: 'totalRecords' }),
    keep,
    summary: 'Reasons to write to a tournament or to the platform.',
  },
  'GET /v1/data/lookup_countries': {
    auth: either,
    args: { filter: { continentNumber: { eq: query.int('region_id') } } },
    run: 'query ($filter: CountryFilter) { countries(filter: $filter) { nodes { ...CountryLookup } } }',
    reply: list(records.country, { total: null }),
    keep,
    summary: 'Countries.',
  },
  'GET /v1/data/lookup_governing_bodies': lookup(records.governingBody, 'governingBodies', 'Bodies that sanction tournaments.'),
  'GET /v1/data/lookup_ratings': lookup(records.rating, 'ratingLevels', 'Bands of ratings.'),
  'GET /v1/data/lookup_ranking_divisions': lookup(records.rankingDivision, 'rankingDivisions', 'Divisions of the rankings.'),
  'GET /v1/data/lookup_states': {
    auth: either,
    args: { filter: { countryId: { eq: query('country_id') } } },
    run: 'query ($filter: StateFilter) { states(filter: $filter) { nodes { ...StateLookup } } }',
    reply: list(records.state, { total: null }),
    keep,
    summary: 'States, of one country or of all.',
  },
  'GET /v1/data/lookup_timezones': lookup(records.timeZone, 'timeZones', 'Time zones.'),
  'GET /v1/data/lookup_where_to_watch_event_types': lookup(
    records.watchEventType,
    'watchEventTypes',
    'Ways in which matches are shown.',
  ),
  'GET /v1/data/lookup_where_to_watch_channels': lookup(records.watchChannel, 'watchChannels', 'Channels that show matches.'),
  'GET /v1/data/lookup_amenity_types': lookup(records.amenityType, 'amenityTypes', 'Kinds of amenities.'),
  'GET /v1/data/lookup_system_text_numbers': lookup(
    records.systemTextNumber,
    'systemTextNumbers',
    'Numbers from which texts are sent.',
  ),
  'GET /v1/data/lookup_module_types': lookup(records.moduleType, 'moduleTypes', 'Kinds of things that can be favorites.'),
  'GET /v1/data/lookup_equipment_types': lookup(records.equipmentType, 'equipmentTypes', 'Kinds of equipment.'),
  'GET /v1/data/lookup_rankings_tier_levels': lookup(records.tierLevel, 'tierLevels', 'Tiers of tournaments.'),
  'GET /v1/data/lookup_currencies': lookup(records.currency, 'currencies', 'Currencies.'),
  'GET /v1/data/lookup_roles': {
    auth: either,
    run: '{ roles { nodes { ...RoleLookup } } }',
    reply: list(records.role, { total: null, items: 'userRoles' }),
    keep,
    summary: 'Roles of users.',
  },
  'GET /v1/data/lookup_push_notifications': lookup(
    records.pushNotificationType,
    'pushNotificationTypes',
    'Kinds of notifications.',
  ),
  'GET /v1/roles_per_module': {
    auth: either,
    when: firstOf(query.oneOf('module', ['global']), value('global')),
    run: '{ roles { nodes { ...RoleOfModule } } }',
    reply: list(records.roleOfModule, { total: null, items: 'userRoles' }),
    keep,
    summary: 'Roles of a module; there is one, global.',
  },

  'GET /v1/referee/lookup_suspension_types': terms('SUSPENSION_TYPE', 'Why a match is suspended.'),
  'GET /v1/referee/lookup_contestant_types': terms('CONTESTANT_TYPE', 'Sides of a match.'),
  'GET /v1/referee/lookup_match_statuses': terms('MATCH_STATUS', 'Statuses of matches.'),
  'GET /v1/referee/lookup_match_completed_types': terms('MATCH_COMPLETED_TYPE', 'How a match was completed.'),
  'GET /v1/referee/lookup_penalty_type_references': [
    { ...retirementReasons, when: query.oneOf('lookup', ['retirement_reason']) },
    terms('PENALTY_TYPE', 'Penalties; with lookup=retirement_reason the retirement reasons.'),
  ],
  'GET /v1/referee/lookup_retirement_reason_references': retirementReasons,
  'GET /v1/referee/lookup_log_type_references': terms('LOG_TYPE', 'What the log of a match records.'),
  'GET /v1/referee/lookup_timeout_types': terms('TIMEOUT_TYPE', 'Timeouts with their lengths.', records.timeoutType),
  'GET /v1/referee/lookup_warning_reason_types': terms('WARNING_REASON_TYPE', 'Why a warning is given.'),
  'GET /v1/referee/lookup_replay_reason_types': terms('REPLAY_REASON_TYPE', 'Why a point is replayed.'),
  'GET /v1/referee/lookup_rally_completed_types': terms('RALLY_COMPLETED_TYPE', 'How a rally was completed.'),
});
