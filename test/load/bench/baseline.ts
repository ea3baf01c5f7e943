import express from 'express';
import pg from 'pg';
import { entryFields, statements } from './baseline-sql.js';

// Serves handwritten routes with Express and pg, without checks, tokens or filters.
const { DATABASE_URL, PORT } = process.env;

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) => text.replace(' ', 'T').replace('+00', 'Z'));
types.setTypeParser(pg.types.builtins.NUMERIC, Number);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, options: '-c timezone=UTC', types });

const rows = async (name: keyof typeof statements, values: unknown[] = []) =>
  (await pool.query({ name, text: statements[name], values })).rows;

// `search` looks for parts of titles.
await pool.query('create index if not exists bench_title_idx on tournament using gin (title gin_trgm_ops)');

const app = express().disable('x-powered-by').disable('etag').use(express.json());
app.get('/v1/data/tourney_flat_data', async ({ query }, response) => {
  if (query.tournament_uuid) {
    const [result] = await rows('one', [query.tournament_uuid]);
    response.json({ result });
    return;
  }
  const size = Number(query.page_size);
  if (query.search_name) {
    const [results, [{ count }]] = await Promise.all([
      rows('search', [size, query.search_name]),
      rows('searchCount', [query.search_name]),
    ]);
    response.json({ totalRecords: count, results });
    return;
  }
  const clubs = String(query.club_id).split(',');
  const [results, [{ count }]] = await Promise.all([rows('list', [size, clubs]), rows('count', [clubs])]);
  response.json({ totalRecords: count, results });
});
app.get('/v1/data/lookup_states', async ({ query }, response) => {
  response.json({ results: await rows('states', [query.country_id]) });
});
app.post('/v1/tournament_attendee_event_records/upsert', async ({ body: { payload } }, response) => {
  const [result] = await rows(
    'upsert',
    entryFields.map((name) => payload[name]),
  );
  response.json({ result });
});
app.post('/graphql', async ({ body: { variables } }, response) => {
  const [{ body }] = await rows('nested', [variables.club, variables.offset, variables.teams]);
  response.type('json').send(body);
});
const server = app.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  console.log(`up at http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
