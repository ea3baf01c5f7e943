import type { Client } from 'pg';
import { continents } from '../../../src/demo/places.js';

/** Words that titles contain. Each word occurs in one of eighteen titles. */
const kinds =
  `Open Classic Masters Invitational Championships Slam Shootout Festival Cup Challenge Series Jamboree Smash Showdown Round-Robin Fling
  Trophy Marathon`.split(/\s+/);
/** Names of sponsors that a title can contain. */
const sponsors =
  `Koepp Abernathy Okafor Lindqvist Nakamura Fitzgerald Zieliński O'Hara Delacroix Baumgartner Castellanos Thibodeaux Vandermeer Achterberg
  Szczepański Quackenbush Ravenscroft Montague Ferreira Kowalczyk`.split(/\s+/);

const many = (values: readonly unknown[]) => JSON.stringify(values);

/** SQL for cities with coordinates and time zones: those of the demo season, and one at a random location for each state in the lookup. */
const cities = `
  select row_number() over (order by city, latitude) - 1 as n, c.* from (
    select city, latitude, longitude, "timeZone" as zone, "countryTitle" as country
    from json_to_recordset($1::json) as d(city text, latitude float8, longitude float8, "timeZone" text, "countryTitle" text)
    union all
    select s.title, hashtext('n' || s.id) % 60, hashtext('e' || s.id) % 180, (array['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/Denver'])[1 + abs(hashtext(s.id)) % 4],
      c.title from state s join country c on c.id = s.country_id
  ) c`;

/** Returns SQL for an integer from 0 to `below - 1`. The same row and purpose always produce the same number. */
const draw = (purpose: string, below: string) => `(abs(hashtext('${purpose}' || i)::bigint) % ${below})`;
const uuid = (kind: string, number: string) => `md5('${kind}' || ${number})::uuid::text`;

/** SQL that inserts tournaments. Half of them have ended. Most last three days, and registration opens three months before. */
const tournaments = `
  insert into tournament (id, code, referee_code, title, starts_at, ends_at, time_zone, registration_opens_at, registration_closes_at,
    location_city, location_country, location_venue, location_latitude, location_longitude, club_id, tier_level_id, platform, is_canceled, is_featured,
    has_prize_money, is_registration_closed, is_test, details_url, logo_url, format, currency, registration_fee, sanctions, approvals, created_at)
  select ${uuid('t', 'i')}, upper(lpad(to_hex(i), 8, 'K')), upper(lpad(to_hex(i), 6, 'R')),
    concat_ws(' ', case when ${draw('s', '10')} = 0 then ($3::json ->> ${draw('who', String(sponsors.length))}::int) end, c.city,
      case when ${draw('season', '2')} = 0 then (array['Winter', 'Spring', 'Summer', 'Autumn'])[extract(quarter from t.start)::int] end,
      $2::json ->> (i % ${kinds.length}), case when ${draw('y', '3')} = 0 then extract(year from t.start)::text end),
    t.start, t.start + (${draw('days', '4')} + 1) * interval '1 day' - interval '14 hours', c.zone, t.start - interval '90 days', t.start - interval '3 days',
    c.city, c.country, c.city || ' Racquet Park', c.latitude + ${draw('lat', '4000')} / 10000.0 - 0.2, c.longitude + ${draw('lon', '4000')} / 10000.0 - 0.2,
    ${uuid('c', draw('club', '20000'))}, (1 + ${draw('tier', '6')})::text, 'Bench', ${draw('cancel', '50')} = 0, ${draw('featured', '50')} = 0,
    ${draw('prize', '5')} = 0, ${draw('closed', '20')} = 0, false, 'https://example.com/t/' || i, 'https://example.com/l/' || i || '.png', 'Doubles', 'USD',
    40 + ${draw('fee', '60')},
    case when ${draw('sanction', '4')} = 0 then jsonb_build_array(jsonb_build_object('body', (array['APP', 'GPA', 'MLP', 'PAA', 'PCO', 'PPA', 'SSIPA', 'USAP', 'WPF'])[1 + ${draw('body', '9')}],
      'isSanctioned', true, 'levelStatus', 'Approved', 'levelTitle', 'Gold', 'levelLogoUrl', null)) else '[]' end::jsonb,
    case when ${draw('sanction', '4')} = 0 then '[{"governingBodyId": "8", "status": "Approved", "sanctionLevelId": "gold"}]' else '[]' end::jsonb,
    t.start - interval '200 days'
  from generate_series(1, $4::int) i
  cross join lateral (select date_trunc('day', now()) - interval '5 years' + ${draw('day', '3652')} * interval '1 day' 
    + (360 + ${draw('minute', '300')}) * interval '1 minute' as start) t
  join growth_city c on c.n = ${draw('city', '$5::int')}
  order by i`;

const users = `
  insert into app_user (id, first_name, last_name, verified_at)
  select ${uuid('u', 'i')}, 'Player', 'Number ' || i, now() from generate_series(1, $1::int) i`;

/** SQL that inserts teams. */
const teams = `
  insert into team (id, tournament_id, event_id, player_one_id, player_two_id, ranking, rating, seed, created_at)
  select ${uuid('m', 'i')}, ${uuid('t', '(1 + i % $1::int)')}, ${uuid('e', '(1 + i % $1::int)')}, ${uuid('u', `(1 + ${draw('one', '$2::int')})`)},
    ${uuid('u', `(1 + ${draw('two', '$2::int')})`)}, 1 + i % 100, 3 + (i % 200) / 100.0, 1 + i % 64, now() - i * interval '1 second'
  from generate_series(1, $3::int) i`;

/** Drops the indexes of a table that enforce no constraint, runs a function, and creates the indexes again. */
async function withoutIndexes(client: Client, table: string, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not indisunique and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  for (const { definition } of rows) await client.query(definition);
}

/** Returns a function that inserts tournaments, teams for each of them, and a tenth as many users, but at least 1,000 users. */
export const loadGrowth =
  (count: number, say: (sentence: string) => void, teamsPerTournament = 10) =>
  async (client: Client): Promise<void> => {
    const players = Math.max(1000, count / 10);
    const demoCities = continents.flat().map((place) => ({ ...place, countryTitle: place.country.title }));
    await client.query(`set maintenance_work_mem = '1GB'; set synchronous_commit = off`);
    await client.query(`create temp table growth_city as ${cities.replace('$1', client.escapeLiteral(many(demoCities)))}`);
    const { rows } = await client.query<{ n: number }>('select count(*)::int as n from growth_city');
    say(`${count} tournaments`);
    const text = tournaments
      .replace('$2', client.escapeLiteral(many(kinds)))
      .replace('$3', client.escapeLiteral(many(sponsors)))
      .replace('$4', '$1')
      .replace('$5', '$2');
    await withoutIndexes(client, 'tournament', () =>
      withoutIndexes(client, 'tournament_name', () => client.query(text, [count, rows[0]?.n])),
    );
    await client.query(users, [players]);
    const teamCount = teamsPerTournament * count;
    say(`${teamCount} teams`);
    await withoutIndexes(client, 'team', () => client.query(teams, [count, players, teamCount]));
    await client.query('vacuum analyze');
  };
