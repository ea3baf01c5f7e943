import {
  declareRoutes,
  firstPresent,
  type LegacyRecord,
  list,
  platformOrUser,
  query,
  type Route,
  value,
} from '../engine/index.js';
import * as records from '../records/reference.js';
import { listRoute } from './record-routes.js';

/** Options of all lookup routes. Responses are cached, because reference data changes only with a release. */
const options = { auth: platformOrUser, isCached: true } as const;

/** Returns a route without parameters that lists all records of a lookup in the response field `results`. */
const lookup = (record: LegacyRecord, rootField: string, summary: string): Route =>
  listRoute(rootField, list(record, { total: null }), summary, options);

/** Returns a route that lists the referee terms of one kind. */
const terms = (kind: string, summary: string, record = records.refereeTerm): Route => ({
  ...options,
  operation: `{ refereeTerms(filter: { kind: { eq: ${kind} } }) { totalCount nodes { ...${record.name} } } }`,
  reply: list(record, { total: 'total_records' }),
  summary,
});

const retirementReasons = terms('RETIREMENT_REASON', 'List reasons to retire from a match.');

/** Routes for lookups and roles (sections 2.2 and 2.3). */
export const referenceRoutes = declareRoutes({
  'GET /v1/data/lookup_bracket_levels': lookup(records.bracketLevel, 'bracketLevels', 'List bracket levels.'),
  'GET /v1/data/lookup_formats': lookup(records.format, 'formats', 'List formats of play.'),
  'GET /v1/data/lookup_player_groups': lookup(records.playerGroup, 'playerGroups', 'List player groups.'),
  'GET /v1/data/lookup_pro_levels': lookup(records.proLevel, 'proLevels', 'List player levels, from amateur to professional.'),
  'GET /v1/data/lookup_contact_us_reasons': listRoute(
    'contactReasons',
    list(records.contactReason, { total: 'totalRecords' }),
    'List reasons to contact a tournament or the platform.',
    {
      ...options,
      args: { filter: { isForTournaments: query.bool('tournament'), isForPlatforms: query.bool('platforms') } },
    },
  ),
  'GET /v1/data/lookup_countries': listRoute('countries', list(records.country, { total: null }), 'List countries.', {
    ...options,
    args: { filter: { continentNumber: { eq: query.int('region_id') } } },
  }),
  'GET /v1/data/lookup_governing_bodies': lookup(
    records.governingBody,
    'governingBodies',
    'List governing bodies, which sanction tournaments.',
  ),
  'GET /v1/data/lookup_ratings': lookup(records.rating, 'ratingLevels', 'List rating levels.'),
  'GET /v1/data/lookup_ranking_divisions': lookup(records.rankingDivision, 'rankingDivisions', 'List ranking divisions.'),
  'GET /v1/data/lookup_states': listRoute(
    'states',
    list(records.state, { total: null }),
    'List states of one country or of all countries.',
    { ...options, args: { filter: { countryId: { eq: query('country_id') } } } },
  ),
  'GET /v1/data/lookup_timezones': lookup(records.timeZone, 'timeZones', 'List time zones.'),
  'GET /v1/data/lookup_where_to_watch_event_types': lookup(
    records.watchEventType,
    'watchEventTypes',
    'List types of broadcasts, such as live stream, television or replay.',
  ),
  'GET /v1/data/lookup_where_to_watch_channels': lookup(
    records.watchChannel,
    'watchChannels',
    'List channels that show matches.',
  ),
  'GET /v1/data/lookup_amenity_types': lookup(records.amenityType, 'amenityTypes', 'List types of amenities.'),
  'GET /v1/data/lookup_system_text_numbers': lookup(
    records.systemTextNumber,
    'systemTextNumbers',
    'List phone numbers from which text messages are sent.',
  ),
  'GET /v1/data/lookup_module_types': lookup(records.moduleType, 'moduleTypes', 'List types of records that can be favorites.'),
  'GET /v1/data/lookup_equipment_types': lookup(records.equipmentType, 'equipmentTypes', 'List types of equipment.'),
  'GET /v1/data/lookup_rankings_tier_levels': lookup(records.tierLevel, 'tierLevels', 'List tournament tiers.'),
  'GET /v1/data/lookup_currencies': lookup(records.currency, 'currencies', 'List currencies.'),
  'GET /v1/data/lookup_roles': listRoute(
    'roles',
    list(records.role, { total: null, items: 'userRoles' }),
    'List roles of users.',
    options,
  ),
  'GET /v1/data/lookup_push_notifications': lookup(
    records.pushNotificationType,
    'pushNotificationTypes',
    'List types of notifications.',
  ),
  'GET /v1/roles_per_module': listRoute(
    'roles',
    list(records.roleOfModule, { total: null, items: 'userRoles' }),
    'List roles of a module. The only module is `global`.',
    { ...options, when: firstPresent(query.oneOf('module', ['global']), value('global')) },
  ),

  'GET /v1/referee/lookup_suspension_types': terms('SUSPENSION_TYPE', 'List reasons to suspend a match.'),
  'GET /v1/referee/lookup_contestant_types': terms('CONTESTANT_TYPE', 'List sides of a match.'),
  'GET /v1/referee/lookup_match_statuses': terms('MATCH_STATUS', 'List statuses of matches.'),
  'GET /v1/referee/lookup_match_completed_types': terms('MATCH_COMPLETED_TYPE', 'List the ways in which a match can end.'),
  'GET /v1/referee/lookup_penalty_type_references': [
    {
      ...retirementReasons,
      when: query.oneOf('lookup', ['retirement_reason']),
      summary: 'List reasons to retire from a match, if `lookup` is `retirement_reason`.',
    },
    terms('PENALTY_TYPE', 'List penalties.'),
  ],
  'GET /v1/referee/lookup_retirement_reason_references': retirementReasons,
  'GET /v1/referee/lookup_log_type_references': terms('LOG_TYPE', 'List the types of entries in the log of a match.'),
  'GET /v1/referee/lookup_timeout_types': terms(
    'TIMEOUT_TYPE',
    'List types of timeouts with their durations.',
    records.timeoutType,
  ),
  'GET /v1/referee/lookup_warning_reason_types': terms('WARNING_REASON_TYPE', 'List reasons for warnings.'),
  'GET /v1/referee/lookup_replay_reason_types': terms('REPLAY_REASON_TYPE', 'List reasons to replay a point.'),
  'GET /v1/referee/lookup_rally_completed_types': terms('RALLY_COMPLETED_TYPE', 'List the ways in which a rally can end.'),
});
