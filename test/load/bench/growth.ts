import { Client } from 'pg';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { type Contender, prepareDatabase, startService } from './contenders.js';
import { cpuTime, postmasterOf } from './cpu.js';
import { type GrowthQuery, growthQueries } from './growth-queries.js';
import { loadGrowth } from './growth-rows.js';

const sizes = [10_000, 1_000_000];
const rounds = 25;

/** Number of warm-up requests. They make V8 compile the code before the measurement. */
const warmUpRequests = 100;

/** Returns the platform token of an existing database. If there is none, creates an empty database and returns null. */
async function reuseOrCreateDatabase(url: string, name: string): Promise<string | null> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select shobj_description(oid, 'pg_database') as token from pg_database where datname = $1`,
      [name],
    );
    if (rows[0]?.token) return rows[0].token;
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
    return null;
  } finally {
    await client.end();
  }
}

/**
 * Creates a database with the given number of tournaments, or reuses the database of an earlier run. The comment on the database is the
 * platform token.
 */
async function load(server: string, size: number): Promise<{ url: string; token: string }> {
  const name = `growth_${size}`;
  const url = new URL(`/${name}`, server).href;
  const existingToken = await reuseOrCreateDatabase(server, name);
  if (existingToken) return { url, token: existingToken };
  const token = await prepareDatabase(
    url,
    loadGrowth(size, (table) => console.error(`Loading ${table} …`)),
  );
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`comment on database ${name} is '${token}'`).finally(() => client.end());
  return { url, token };
}

/** Returns the ID of a row deep in the list, and the cursor after it. */
async function deepRow(service: Contender, size: number): Promise<{ id: string; cursor: string }> {
  const query = `{ tournaments(first: 1, offset: ${size * 0.7}) { edges { cursor node { id } } } }`;
  const { body } = await sendRequest(service, '/graphql', query);
  const [{ cursor, node }] = JSON.parse(body).data.tournaments.edges;
  return { id: node.id, cursor };
}

async function sendRequest({ url, headers }: Contender, path: string, query?: string) {
  const began = performance.now();
  const response = await fetch(url + path, {
    headers: { 'content-type': 'application/json', ...headers },
    ...(query ? { method: 'POST', body: JSON.stringify({ query }) } : {}),
  });
  const body = await response.text();
  const took = performance.now() - began;
  if (!response.ok || body.includes('"errors"')) throw new Error(`${path} returned ${response.status}: ${body}`);
  return { took, body };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

interface Figures {
  /** Median of sequential requests, in milliseconds. */
  p50: number;
  /** CPU time of one request in the service and in PostgreSQL, in milliseconds. Less affected by other work on the machine than `p50`. */
  cpu: number;
}

const cpuOf = (processes: readonly number[]) => processes.reduce((sum, pid) => sum + (cpuTime(pid) ?? Number.NaN), 0) / 1000;

async function figures(
  service: Contender,
  postmaster: number,
  { path, query }: GrowthQuery,
  deep: { id: string; cursor: string },
): Promise<Figures> {
  const once = async () =>
    (await sendRequest(service, path.replace('$id', deep.id), query?.replace('$cursor', deep.cursor))).took;
  for (let round = 0; round < warmUpRequests; round++) await once();
  const times: number[] = [];
  const before = cpuOf([service.pid, postmaster]);
  for (let round = 0; round < rounds; round++) times.push(await once());
  return { p50: median(times), cpu: (cpuOf([service.pid, postmaster]) - before) / rounds };
}

/** Measures queries on a database with the given number of tournaments. Returns the figures of each query, in order. */
async function measure(server: string, size: number, queries: readonly GrowthQuery[]): Promise<Figures[]> {
  const { url, token } = await load(server, size);
  const service = await startService(url, token);
  try {
    const postmaster = await postmasterOf(url);
    const deep = await deepRow(service, size);
    const all: Figures[] = [];
    for (const query of queries) all.push(await figures(service, postmaster, query, deep));
    return all;
  } finally {
    await service.stop();
  }
}

/**
 * Prints the time of each query with 10,000 and with 1,000,000 tournaments of ten teams each. The directory keeps the loaded data for later
 * runs.
 */
export async function growth(directory: string, only?: string): Promise<void> {
  const postgres = await startEmbedded(directory, {
    settings: { ...disposableSettings, shared_buffers: '2GB', max_wal_size: '8GB' },
  });
  try {
    const queries = growthQueries.filter(({ title }) => !only || title.includes(only));
    const all: Figures[][] = [];
    for (const size of sizes) all.push(await measure(postgres.url, size, queries));
    const heads = sizes.flatMap((size) => [`p50 of ${size.toLocaleString('en')}, ms`, 'CPU, ms']);
    console.log(`| query | ${heads.join(' | ')} | must |`);
    console.log(`|---${'|--:'.repeat(heads.length + 1)}|`);
    for (const [index, { title, must }] of queries.entries()) {
      const cells = all
        .flatMap((results) => [results[index]?.p50, results[index]?.cpu])
        .map((value = Number.NaN) => value.toFixed(1));
      console.log(`| ${title} | ${cells.join(' | ')} | ${must} |`);
    }
  } finally {
    await postgres.stop();
  }
}
