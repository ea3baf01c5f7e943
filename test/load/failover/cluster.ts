import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../../src/process/port.js';
import type { OpenResources } from '../../../src/server/lifecycle/open-resources.js';
import { processTree, send } from '../../support/servers/crashable-postgres.js';
import { type ClusterPrograms, type Program, startProgram } from './program.js';

/** Password of all users of the cluster, which only this machine can reach. */
const password = 'failover-4d0c';

/** Timeout in seconds for the start of a cluster, for a promotion, and for the return of a killed server. */
const timeoutSeconds = 180;

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

/** Calls `check` until it returns a value. Errors count as no value. */
export async function waitFor<T>(purpose: string, check: () => Promise<T | null>, interval = 100): Promise<T> {
  for (const startedAt = performance.now(); performance.now() - startedAt < timeoutSeconds * 1000; await sleep(interval)) {
    const value = await check().catch(() => null);
    if (value !== null) return value;
  }
  throw new Error(`${purpose}: not within ${timeoutSeconds} s`);
}

/** A PostgreSQL server with the Patroni process that manages it. */
export class DatabaseNode {
  #patroni: Program | null = null;

  private constructor(
    readonly name: string,
    readonly port: number,
    readonly apiPort: number,
    readonly start: () => Program,
    readonly data: string,
  ) {}

  static async create(
    name: string,
    directory: string,
    { programs, etcdPort, mode }: { programs: ClusterPrograms; etcdPort: number; mode: ReplicationMode },
  ): Promise<DatabaseNode> {
    const [port, apiPort] = [await freePort(), await freePort()];
    const home = join(directory, name);
    await mkdir(home, { mode: 0o700 });
    const text = await readFile('docs/deploy/patroni.yml', 'utf8');
    const config = join(home, 'patroni.yml');
    await writeFile(config, text.replace(/(synchronous_mode): true/, `$1: ${mode === 'synchronous'}`));
    if (programs.owner) for (const path of [home, config]) await chown(path, programs.owner.uid, programs.owner.gid);
    const env = {
      PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
      LC_ALL: 'C.UTF-8',
      TMPDIR: tmpdir(),
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${apiPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${apiPort}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: join(home, 'data'),
      PATRONI_POSTGRESQL_PGPASS: join(home, 'pgpass'),
      PATRONI_SUPERUSER_PASSWORD: password,
      PATRONI_REPLICATION_PASSWORD: password,
      PATRONI_REWIND_PASSWORD: password,
    };
    const account = programs.dropsRights ? (programs.owner ?? {}) : {};
    const start = () => startProgram(programs.patroni, { args: [config], env, log: join(directory, `${name}.log`), ...account });
    return new DatabaseNode(name, port, apiPort, start, join(home, 'data'));
  }

  /** Starts Patroni, which starts PostgreSQL. */
  startServer(): void {
    if (!this.#patroni?.isUp()) this.#patroni = this.start();
  }

  url(user = 'postgres', database = 'postgres'): string {
    return `postgresql://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Kills PostgreSQL. With `isMachineLost`, also kills Patroni and all server processes. */
  async kill(isMachineLost: boolean): Promise<void> {
    const postmaster = Number((await readFile(join(this.data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
    if (isMachineLost) this.#patroni?.signal('SIGKILL');
    for (const pid of isMachineLost ? await processTree(postmaster) : [postmaster]) send(pid, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#patroni?.end();
  }

  /** Returns the members of the cluster as Patroni on this node reports them. */
  async members(): Promise<Member[]> {
    const response = await fetch(`http://127.0.0.1:${this.apiPort}/cluster`, { signal: AbortSignal.timeout(3_000) });
    return ((await response.json()) as { members: Member[] }).members;
  }
}

export type ReplicationMode = 'synchronous' | 'asynchronous';

/** Two PostgreSQL servers that Patroni manages, with one etcd. */
export class Cluster {
  private constructor(
    readonly nodes: readonly [DatabaseNode, DatabaseNode],
    readonly mode: ReplicationMode,
  ) {}

  static async start(
    directory: string,
    { programs, mode, resources }: { programs: ClusterPrograms; mode: ReplicationMode; resources: OpenResources },
  ): Promise<Cluster> {
    const [etcdPort, peerPort] = [await freePort(), await freePort()];
    const etcdData = join(directory, 'etcd');
    await mkdir(etcdData, { mode: 0o700 });
    if (programs.owner) await chown(etcdData, programs.owner.uid, programs.owner.gid);
    const [url, peerUrl] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
    const etcd = startProgram(programs.etcd, {
      args: [
        ...['--name', 'etcd', '--data-dir', etcdData, '--listen-client-urls', url, '--advertise-client-urls', url],
        ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl, '--initial-cluster', `etcd=${peerUrl}`],
      ],
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', TMPDIR: tmpdir() },
      log: join(directory, 'etcd.log'),
      ...(programs.dropsRights ? (programs.owner ?? {}) : {}),
    });
    resources.add(() => etcd.end('SIGKILL'));
    await waitFor('etcd is healthy', async () => ((await fetch(`${url}/health`)).ok ? true : null));
    const one = await DatabaseNode.create('one', directory, { programs, etcdPort, mode });
    const two = await DatabaseNode.create('two', directory, { programs, etcdPort, mode });
    const cluster = new Cluster([one, two], mode);
    resources.add(async () => void (await Promise.all(cluster.nodes.map((node) => node.stop()))));
    for (const node of cluster.nodes) node.startServer();
    await cluster.waitUntilComplete();
    return cluster;
  }

  /** Waits until there are a leader and a standby that can replace it. Returns the leader. */
  async waitUntilComplete(): Promise<DatabaseNode> {
    const standbyRole = this.mode === 'synchronous' ? 'sync_standby' : 'replica';
    return waitFor('the cluster has a leader and a standby', async () => {
      const [members, sameMembers] = await Promise.all(this.nodes.map((node) => node.members()));
      const leader = members?.find(({ role, state }) => role === 'leader' && state === 'running');
      const standby = members?.find(({ role, state }) => role === standbyRole && state === 'streaming');
      const isAgreed = leader && sameMembers?.some(({ name, role }) => name === leader.name && role === 'leader');
      const isOneTimeline = leader?.timeline === standby?.timeline;
      return isAgreed && standby && isOneTimeline ? (this.nodes.find(({ name }) => name === leader.name) ?? null) : null;
    });
  }

  /** Returns the other node. */
  other(node: DatabaseNode): DatabaseNode {
    const [one, two] = this.nodes;
    return node === one ? two : one;
  }

  /** URL of the service with both servers. */
  get url(): string {
    const [first, second] = this.nodes;
    return first
      .url('courtside', 'courtside')
      .replace(`:${first.port}/`, `:${first.port},127.0.0.1:${second.port}/`)
      .concat('?target_session_attrs=read-write');
  }
}

/** Creates the role and the database of the service. */
export async function createDatabase(leader: DatabaseNode): Promise<void> {
  const run = async (database: string, statements: readonly string[]) => {
    const client = new Client({ connectionString: leader.url('postgres', database) });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await run('postgres', [`create role courtside login password '${password}'`, 'create database courtside owner courtside']);
  await run('courtside', ['create extension earthdistance cascade']);
}

/** Watches a standby, and resolves with the time of its promotion, as `performance.now()`. */
export async function promotionOf(node: DatabaseNode): Promise<number> {
  const client = new Client({ connectionString: node.url() });
  client.on('error', () => undefined);
  await client.connect();
  const promotedAt = await waitFor(
    `${node.name} is promoted`,
    async () => {
      const { rows } = await client.query('select pg_is_in_recovery() as "isStandby"');
      return rows[0].isStandby ? null : performance.now();
    },
    50,
  );
  await client.end();
  return promotedAt;
}
