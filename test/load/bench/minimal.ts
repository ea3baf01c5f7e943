import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { entryFields, minimalStatements } from './minimal-sql.js';

// Serves the workloads with node:http and pg, without a framework. PostgreSQL writes the JSON, so the server only passes text on.
const { DATABASE_URL, PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, options: '-c timezone=UTC' });

type Name = keyof Awaited<ReturnType<typeof minimalStatements>>;
const statements = await minimalStatements(pool);

const bodyOf = async (name: Name, values: unknown[]): Promise<string> =>
  (await pool.query<{ body: string }>({ name, text: statements[name], values })).rows[0]?.body ?? '';

async function readJson(request: IncomingMessage) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.parse(text);
}

async function respondTo(request: IncomingMessage): Promise<string> {
  const url = request.url ?? '';
  if (request.method === 'POST') {
    const { payload, variables } = await readJson(request);
    return variables
      ? bodyOf('nested', [variables.club, variables.offset, variables.teams])
      : bodyOf(
          'upsert',
          entryFields.map((name) => payload[name]),
        );
  }
  const query = new URLSearchParams(url.slice(url.indexOf('?')));
  const id = query.get('tournament_uuid');
  if (id !== null) return bodyOf('one', [id]);
  const country = query.get('country_id');
  if (country !== null) return bodyOf('states', [country]);
  const title = query.get('search_name');
  const size = Number(query.get('page_size'));
  return title === null ? bodyOf('list', [size, query.get('club_id')?.split(',')]) : bodyOf('search', [size, title]);
}

const server = createServer(async (request, response) => {
  const body = await respondTo(request);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}).listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  console.log(`up at http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
