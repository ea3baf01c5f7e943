/** Returns a select list from lines that consist of a column and its name in responses. */
const columns = (list: string): string =>
  list
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => line.split(/\s+/))
    .map(([column, name]) => `${column} as "${name}"`)
    .join(', ');

/** Select list of a tournament. */
export const tournament = `${columns(`
  id TournamentID
  club_id ClubID
  platform Platform
  details_url DetailsURL
  format FormatCode
  location_city LocationCity
  location_country LocationCountry
  location_state LocationState
  location_street_address LocationStreetAddress
  location_venue LocationVenue
  location_zip LocationZip
  logo_url Logo
  time_zone_abbreviation TimeZoneAbbreviation
  title Title
  time_zone ianaTzIdentifier
  tickets_url ticketsUrl
  currency PaymentCurrencyAbbreviation
  player_list_visibility hideRegisteredPlayersInt
  scroller_logo_url logo_scroller
  contact_registration ContactFormRegistration
  contact_website_account ContactFormMyWebsiteAccount
  contact_refunds ContactFormRefunds
  contact_other ContactFormOther
  contact_partner_change ContactFormRequestPartnerChange
  contact_volunteer ContactFormVolunteer
  contact_referee ContactFormReferee
  contact_vendor ContactFormVendor
  contact_sponsor ContactFormSponsor
  contact_public_name ContactFormPublicDisplayName
  contact_public_email ContactFormPublicDisplayEmail
  contact_public_phone ContactFormPublicDisplayPhone
  is_canceled CancelTourney
  charges_per_event CostFeeOnEvents
  has_prize_money IsPrizeMoney
  is_registration_closed IsRegClosed
  is_featured IsFeatured
  has_online_registration OnlineRegistrationActive
  hides_players hideRegisteredPlayers
  hides_from_search hideTourneyOnSearchPage
  registration_fee CostRegistrationCurrent
  registration_count::text RegistrationCount
  location_longitude Longitude
  location_latitude Latitude
  time_zone_number_raw timezoneId
  starts_at TourneyFromDate
  ends_at TourneyToDate
  registration_opens_at RegistrationDateOpen
  registration_closes_at RegistrationDateClosed
  shown_from DateShowToPublic
  shown_until DateHideFromPublic
  archived_at DateArchived
  created_at dateCreated
  updated_at dateUpdated
  locked_at lockDate
  advertised_from advertise_only_from_date
  advertised_until advertise_only_to_date
  is_featured_plus IsFeaturedPlus
  completed_at DateCompleted
  code PBTournamentCode
  is_test IsTest
  is_advertise_only IsAdvertiseOnly
  referee_code RefereeAppCode
  sends_preliminary_to_partner SendPreliminaryToPartner
  uses_partner_sports UsingPartnerSports
  uses_partner_sports UsingPartnerSportsAlt
  club_sanction_level_id ClubSanctionLevelId
  tier_level_id tierLevelUuid
  score_card_hides_courts digitalScoreCardHideCourts
  score_card_hides_referees digitalScoreCardHideReferees
  score_card_hides_next_match digitalScoreCardHideNextUp1
  score_card_hides_match_after_next digitalScoreCardHideNextUp2
  score_card_minutes_to_next_match::text countDeskMinutesToEstimatedTimeForNextUp
  title_sponsor_logo_url titleSponsorLogo
  title_sponsor_tagline titleSponsorTagline
  title_sponsor_title titleSponsorTitle
  title_sponsor_url titleSponsorUrl`)},
  extract(epoch from (starts_at at time zone time_zone) - (starts_at at time zone 'UTC'))::float8 as "TimeZoneUTCOffset",
  (select jsonb_agg(jsonb_build_object('id', body.id, 'approvedStatus', approval ->> 'status',
      'sanctionLevelId', approval ->> 'sanctionLevelId', 'shortName', body.short_name))
    from jsonb_array_elements(approvals) approval join governing_body body on body.id = approval ->> 'governingBodyId') as "GoverningBodies"`;

const person = (alias: string) =>
  `json_build_object('id', ${alias}.id, 'firstName', ${alias}.first_name, 'lastName', ${alias}.last_name)`;

/** Columns of an event registration, keyed by `/v1` field, the ID first. The platform provides its creator and creation time. */
const entry = {
  tournament_attendee_event_uuid: 'id',
  tournament_attendee_header_uuid: 'registration_id',
  event_uuid: 'event_id',
  event_team_uuid: 'team_id',
  user_uuid: 'user_id',
  date_created: 'reported_created_at',
  created_by_full_name: 'reported_created_by',
  date_updated: 'reported_updated_at',
  updated_by_full_name: 'reported_updated_by',
  status: 'status',
  update_location: 'update_location',
  player_group_id: 'player_group_id',
  format_id: 'format_id',
  original_event_uuid: 'original_event_id',
  tournament_partner_attendee_event_uuid: 'partner_registration_id',
  partner_user_uuid: 'partner_id',
};
const stored = Object.values(entry);

export const entryFields = Object.keys(entry);

/** One prepared statement per route. */
export const statements = {
  one: `select ${tournament} from tournament where id = $1`,
  list: `select ${tournament} from tournament where club_id = any($2) order by starts_at, id limit $1`,
  count: 'select count(*) from tournament where club_id = any($1)',
  search: `select ${tournament} from tournament where title ilike '%' || $2 || '%' order by starts_at, id limit $1`,
  searchCount: `select count(*) from tournament where title ilike '%' || $1 || '%'`,
  states:
    'select id, abbreviation, title, country_id as "countryId" from state where country_id = $1 order by title collate "unicode", id',
  upsert: `insert into event_registration (${stored.join(', ')}) values (${stored.map((_, index) => `$${index + 1}`).join(', ')})
    on conflict (id) do update set ${stored.slice(1).map((column) => `${column} = excluded.${column}`)}, updated_at = clock_timestamp()
    returning ${Object.entries(entry).map(([name, column]) => `${column} as "${name}"`)}`,
  nested: `
    select json_build_object('data', json_build_object('tournaments', json_build_object('nodes', json_agg(json_build_object(
      'id', t.id, 'title', t.title, 'startsAt', to_char(t.starts_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'location', json_build_object('city', t.location_city),
      'teams', json_build_object('nodes', teams.list), 'referees', json_build_object('nodes', referees.list))
      order by t.starts_at, t.id))))::text as body
    from (select * from tournament where club_id = $1 order by starts_at, id limit 20 offset $2) t
    cross join lateral (select json_agg(json_build_object('id', m.id, 'ranking', m.ranking, 'seed', m.seed,
        'playerOne', ${person('a')}, 'playerTwo', ${person('b')}) order by m.id) as list
      from (select * from team where tournament_id = t.id order by id limit $3) m
      join app_user a on a.id = m.player_one_id join app_user b on b.id = m.player_two_id) teams
    cross join lateral (select json_agg(json_build_object('id', r.id, 'user', ${person('u')}) order by r.id) as list
      from (select * from tournament_referee where tournament_id = t.id order by id limit 20) r
      join app_user u on u.id = r.user_id) referees`,
};
