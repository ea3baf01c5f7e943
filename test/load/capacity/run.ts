import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { type Contender, prepareDatabase, startService } from '../bench/contenders.js';
import { postmasterOf } from '../bench/cpu.js';
import { runTurn } from '../bench/measure.js';
import { type Workload, workloads } from '../bench/workloads.js';
import { limitOf, type RequestCosts } from './model.js';
import type { RelayOptions, RelayReport } from './relay.js';

// Measures the costs of requests with one process, predicts the request rate of 1, 2 and 4 processes with a slow network to the database, and
// measures that rate.
// npm run capacity -- [--rounds 3] [--seconds 3]
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '3' } },
});
const seconds = Number(options.seconds);

/** Connections per process in the simulation. With so few, the network latency limits the request rate. */
const connections = 2;
/** Delay of each direction in the simulation, in milliseconds. */
const delay = 1;
const measured = ['single', 'change', 'nested'] as const;

/** Relay between the service and the database, in a separate process. */
interface Relay {
  readonly url: string;
  report(): Promise<RelayReport>;
  stop(): void;
}

async function startRelay(databaseUrl: string, delayMs: number): Promise<Relay> {
  const { host, port, user, password, database } = new Client({ connectionString: databaseUrl });
  const child: ChildProcess = fork(new URL('./relay.js', import.meta.url));
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  child.send({ target, delay: delayMs } satisfies RelayOptions);
  const [address] = (await once(child, 'message')) as [AddressInfo];
  const url = new URL(`postgresql://127.0.0.1:${address.port}/${database}`);
  Object.assign(url, { username: user ?? '', password: password ?? '' });
  return {
    url: url.href,
    async report() {
      child.send('report');
      const [result] = (await once(child, 'message')) as [RelayReport];
      return result;
    },
    stop: () => void child.kill(),
  };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Returns the median response time of an empty statement in microseconds. */
async function responseTimeOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const times: number[] = [];
  for (let count = 0; count < 200; count++) {
    const startedAt = performance.now();
    await client.query('select');
    times.push((performance.now() - startedAt) * 1000);
  }
  await client.end();
  return median(times);
}

/** Costs of a request in a turn, and the CPU time of the load generator and the relay per request, in microseconds. */
interface TurnCosts extends RequestCosts {
  readonly rate: number;
  readonly otherCpu: number;
}

async function measureTurn(
  service: Contender,
  relay: Relay,
  postmaster: number,
  workload: Workload,
  responseBytes: number,
): Promise<TurnCosts> {
  await relay.report();
  const { rate, own, postgres, generator } = await runTurn(service, postmaster, workload, seconds);
  const { roundTrips, serverTime, cpu } = await relay.report();
  const requests = rate * seconds;
  return {
    rate,
    serviceCpu: own,
    databaseCpu: postgres,
    roundTrips: roundTrips / requests,
    databaseTime: serverTime / roundTrips,
    responseBytes,
    otherCpu: (generator * 1e6) / rate + cpu / requests,
  };
}

/** Measures several turns after two turns to warm up, and returns the turn with the median rate. */
async function measure(service: Contender, relay: Relay, postmaster: number, workload: Workload): Promise<TurnCosts> {
  const [first = { path: '/' }] = workload.requests;
  const response = await fetch(service.url + first.path, {
    headers: { 'content-type': 'application/json', ...service.headers },
    ...(first.body === undefined ? {} : { method: 'POST', body: first.body.replaceAll(/\$(?:n|m|who|turn)\b/g, '1') }),
  });
  const responseBytes = (await response.arrayBuffer()).byteLength;
  const turn = () => measureTurn(service, relay, postmaster, workload, responseBytes);
  await turn();
  await turn();
  const turns: TurnCosts[] = [];
  for (let round = 0; round < Number(options.rounds); round++) turns.push(await turn());
  return turns.toSorted((a, b) => a.rate - b.rate)[Math.floor(turns.length / 2)] as TurnCosts;
}

/** Prints the average size of a row with its indexes, for tables with rows. */
async function printRowSizes(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ name: string; rows: number; bytes: number }>(
    `select relname as name, reltuples::float8 as rows, pg_total_relation_size(oid) / reltuples as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= 5000 order by relname`,
  );
  await client.end();
  console.log('\n| table | rows | bytes per row, with indexes |');
  console.log('|---|--:|--:|');
  for (const { name, rows: count, bytes } of rows) console.log(`| ${name} | ${count} | ${Number(bytes).toFixed(0)} |`);
}

function printCosts(costs: ReadonlyMap<string, TurnCosts>): void {
  console.log('| workload | CPU of the service, µs | CPU of PostgreSQL, µs | round trips | response of PostgreSQL, µs | bytes |');
  console.log('|---|--:|--:|--:|--:|--:|');
  for (const [name, { serviceCpu, databaseCpu, roundTrips, databaseTime, responseBytes }] of costs) {
    const times = [serviceCpu, databaseCpu].map((time) => time.toFixed(0));
    const cells = [...times, roundTrips.toFixed(1), databaseTime.toFixed(0), responseBytes];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

async function capacity(directory: string): Promise<void> {
  const postgres = await startEmbedded(directory, { settings: { ...disposableSettings, shared_buffers: '256MB' } });
  const relays: Relay[] = [];
  try {
    const token = await prepareDatabase(postgres.url);
    const postmaster = await postmasterOf(postgres.url);
    const [near, far] = [await startRelay(postgres.url, 0), await startRelay(postgres.url, delay)];
    relays.push(near, far);
    const latency = (await responseTimeOf(far.url)) - (await responseTimeOf(near.url));
    const cores = availableParallelism();
    console.log(`${cores} cores. Network latency to the database: ${(latency / 1000).toFixed(1)} ms.\n`);

    /** Costs with one process, from which the rates of several processes are predicted. */
    const costs = new Map<string, TurnCosts>();
    const rows: string[] = [];
    for (const processes of [1, 2, 4]) {
      const service = await startService(far.url, token, {
        variables: { WORKERS: String(processes), DATABASE_POOL: String(processes * connections) },
      });
      for (const name of measured) {
        const turn = await measure(service, far, postmaster, workloads[name]);
        const cost = costs.get(name) ?? turn;
        costs.set(name, cost);
        const setup = { processes, connections, latency, shared: { cores, otherCpu: turn.otherCpu } };
        const { resource, rate: predicted } = limitOf(cost, setup);
        const cells = [processes, resource, predicted.toFixed(0), turn.rate.toFixed(0), (turn.rate / predicted).toFixed(2)];
        rows.push(`| ${name} | ${cells.join(' | ')} |`);
      }
      await service.stop();
    }
    printCosts(costs);
    console.log('\n| workload | processes | limit | predicted requests/s | measured requests/s | measured / predicted |');
    console.log('|---|--:|---|--:|--:|--:|');
    for (const row of rows) console.log(row);
    await printRowSizes(postgres.url);
  } finally {
    for (const { stop } of relays) stop();
    await postgres.stop();
  }
}

const directory = await mkdtemp(join(tmpdir(), 'courtside-capacity-'));
// When run as root, PostgreSQL runs as another user, who must be able to enter the directory.
await chmod(directory, 0o711);
await capacity(directory).finally(() => rm(directory, { recursive: true, force: true }));
