// Mercurius with its loaders and just-in-time compilation, over prepared statements written by hand.
import Fastify from 'fastify';
import mercurius from 'mercurius';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c timezone=UTC' });
const sql = (name, text, values) => pool.query({ name, text, values }).then((result) => result.rows);

const schema = `
  type User { id: ID! firstName: String lastName: String }
  type Referee { id: ID! user: User }
  type Team { id: ID! ranking: Int seed: Int playerOne: User playerTwo: User }
  type Location { city: String }
  type Tournament { id: ID! title: String startsAt: String location: Location teams(first: Int!): [Team!]! referees: [Referee!]! }
  type Query { tournaments(first: Int!, offset: Int!, club: ID!): [Tournament!]! }`;

const person = 'select id, first_name as "firstName", last_name as "lastName" from app_user where id = any($1)';
const one = (key) => async (queries) => {
  const ids = queries.map(({ obj }) => obj[key]);
  const byId = new Map((await sql('users', person, [[...new Set(ids)]])).map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
};
const many = (name, text) => async (queries) => {
  const lists = new Map(queries.map(({ obj }) => [obj.id, []]));
  const limit = queries[0].params.first ?? 20;
  for (const row of await sql(name, text, [[...lists.keys()], limit])) lists.get(row.tournament_id).push(row);
  return queries.map(({ obj }) => lists.get(obj.id));
};
const tournaments = `select id, title, location_city as city, to_char(starts_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "startsAt"
  from tournament where club_id = $3 order by starts_at, id limit $1 offset $2`;
const firstRows = (table, columns) => `select ${columns} from (
    select *, row_number() over (partition by tournament_id order by id) as n from ${table} where tournament_id = any($1)) r where n <= $2 order by id`;

const app = Fastify();
app.register(mercurius, {
  schema,
  jit: 1,
  resolvers: {
    Query: { tournaments: (_, { first, offset, club }) => sql('tournaments', tournaments, [first, offset, club]) },
    Tournament: { location: ({ city }) => ({ city }) },
  },
  loaders: {
    Tournament: {
      teams: many('teams', firstRows('team', 'id, tournament_id, ranking, seed, player_one_id, player_two_id')),
      referees: many('referees', firstRows('tournament_referee', 'id, tournament_id, user_id')),
    },
    Team: { playerOne: one('player_one_id'), playerTwo: one('player_two_id') },
    Referee: { user: one('user_id') },
  },
});
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(`up at http://127.0.0.1:${app.server.address().port}`);
