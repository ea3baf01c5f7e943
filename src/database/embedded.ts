import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartProblem } from '../start-problem.js';
import { binariesFor } from './embedded-binaries.js';
import { makeDatabase } from './embedded-database-sql.js';
import { makeDirectory, settle } from './embedded-home.js';
import { takeDirectory } from './embedded-lock.js';
import { addressOf, ended, type Launch, lastWords, launch, spawnGuarded, stopLeftover } from './embedded-server.js';

/** A PostgreSQL 18 of our own, on 127.0.0.1 and a Unix socket. */
export interface Embedded {
  /** Connection string of the service's database. */
  url: string;
  stop(): Promise<void>;
}

interface Options {
  settings?: Record<string, string>;
  /** Where to tell of what happens to the server later on. */
  say?: (sentence: string) => void;
  /** Called once there is nothing to do but wait for the server: for work that would hold its start up before. */
  waiting?: () => void;
}

type Files = Omit<Launch, 'settings'> & { password: string };

/** Settings that make a server faster that need not outlive a crash. */
export const disposable = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

const always = { timezone: 'UTC', jit: 'off', log_error_verbosity: 'terse', log_checkpoints: 'off', max_connections: '200' };

/**
 * Starts PostgreSQL on the data in a directory, which it makes when needed, and starts it again should it die. It never
 * outlives this process.
 */
export async function startEmbedded(dataDir: string, options: Options = {}): Promise<Embedded> {
  if (process.platform === 'win32')
    throw new StartProblem('Set DATABASE_URL: the embedded PostgreSQL runs on Linux and macOS only.');
  const directory = await makeDirectory(dataDir);
  const release = takeDirectory(directory);
  try {
    const { url, stop } = await startIn(directory, options);
    return { url, stop: () => stop().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function startIn(
  directory: string,
  { settings = {}, say = console.error, waiting = () => undefined }: Options,
): Promise<Embedded> {
  const home = await settle(directory);
  const files: Files = {
    bin: await binariesFor(home.account),
    data: join(home.directory, 'postgres'),
    log: join(home.directory, 'postgres.log'),
    password: join(home.directory, 'password'),
    account: home.account,
  };
  await stopLeftover(files.data, waiting);
  if (!existsSync(files.data)) await initialise(files);
  const start = { ...files, settings: { ...always, ...settings } };
  let server = await launch(start, undefined, waiting);
  const { port, sockets } = server;
  const at = { port, sockets };
  const password = await readFile(files.password, 'utf8');
  await makeDatabase(addressOf(at, password, 'postgres'));

  let stopping = false;
  const kept = (async () => {
    for (;;) {
      await server.gone;
      if (!stopping) say('The embedded PostgreSQL ended unexpectedly and is started again.');
      while (
        !stopping &&
        !(await launch(start, port)
          .then((next) => (server = next))
          .catch(() => null))
      )
        await sleep(1000);
      if (stopping) return server.stop();
    }
  })();
  return {
    url: addressOf(at, password, 'courtside'),
    async stop() {
      stopping = true;
      await server.stop();
      await kept;
    },
  };
}

async function initialise({ bin, data, log, password, account }: Files): Promise<void> {
  // Made beside its place, so that an interrupted start leaves no half of a database behind.
  const draft = `${data}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await rm(password, { force: true });
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    for (const path of [draft, password]) await chown(path, account.uid, account.gid);
  }
  // Nobody guesses that password, however quickly one may be tried: every connection would pay for thousands of rounds.
  const identity = ['--username=courtside', '--auth=scram-sha-256', `--pwfile=${password}`, '--set=scram_iterations=1'];
  // The builtin locale sorts the same on every machine; LC_CTYPE tells pg_trgm what a letter is.
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--lc-ctype=${ctype}`,
  ];
  const child = await spawnGuarded(join(bin, 'initdb'), [`--pgdata=${draft}`, ...identity, ...locale], account, log);
  if ((await ended(child)) !== 0)
    throw new StartProblem(`PostgreSQL could not make its data: ${await lastWords(log)}; see ${log}.`);
  await rename(draft, data);
}

const ctype = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
