import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartProblem } from '../process/start-problem.js';
import { binariesFor } from './embedded-binaries.js';
import { ensureDatabase, renewChangeLog } from './embedded-database-sql.js';
import { copyIdentity, ensureDirectory, lockDirectory, readText, resolveHome } from './embedded-home.js';
import {
  connectionUrl,
  exitCodeOf,
  type LaunchOptions,
  lastError,
  launchServer,
  spawnGuardedProcess,
  stopOrphan,
} from './embedded-server.js';

/** An embedded PostgreSQL 18 server, which listens on 127.0.0.1 and a Unix socket. */
export interface EmbeddedServer {
  /** Connection string of the service's database. */
  url: string;
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  settings?: Record<string, string>;
  /** Prints a message about an event after the start, such as an unexpected exit. */
  report?: (message: string) => void;
  /** Called whenever the start begins to wait for the server, so that other work can run in the meantime. */
  onWaiting?: () => void;
}

type Files = Omit<LaunchOptions, 'settings'> & { password: string };

/** Faster settings for data that does not have to survive a crash. */
export const disposableSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

const defaultSettings = {
  timezone: 'UTC',
  jit: 'off',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  max_connections: '200',
};

/**
 * Starts PostgreSQL in a data directory, which is created if necessary. The server is restarted if it exits, and stops with this process.
 */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  if (process.platform === 'win32')
    throw new StartProblem('Set DATABASE_URL: the embedded PostgreSQL runs on Linux and macOS only.');
  const directory = await ensureDirectory(dataDir);
  const release = await lockDirectory(directory);
  try {
    const { url, stop } = await startInDirectory(directory, options);
    return { url, stop: () => stop().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function startInDirectory(
  directory: string,
  { settings = {}, report = console.error, onWaiting = () => undefined }: EmbeddedOptions,
): Promise<EmbeddedServer> {
  const home = await resolveHome(directory);
  const files: Files = {
    bin: await binariesFor(home.account),
    data: join(home.directory, 'postgres'),
    log: join(home.directory, 'postgres.log'),
    password: join(home.directory, 'password'),
    account: home.account,
  };
  await stopOrphan(files.data, onWaiting);
  if (!existsSync(files.data)) await initializeData(files);
  const launchOptions = { ...files, settings: { ...defaultSettings, ...settings } };
  let server = await launchServer(launchOptions, undefined, onWaiting);
  const { port, socketDirectory } = server;
  const address = { port, socketDirectory };
  const password = await readFile(files.password, 'utf8');
  const url = connectionUrl(address, password, 'courtside');
  const isNew = await ensureDatabase(connectionUrl(address, password, 'postgres'));
  const [identity, identityFile] = [await copyIdentity(files.data), join(home.directory, 'identity')];
  if (identity !== (await readText(identityFile))) {
    // If the directory is a copy, the original may contain other changes at the same positions of the change log.
    if (!isNew) await renewChangeLog(url);
    await writeFile(identityFile, identity);
  }

  let isStopping = false;
  const supervision = (async () => {
    for (;;) {
      await server.exit;
      if (!isStopping) report('The embedded PostgreSQL exited unexpectedly and is being restarted.');
      while (
        !isStopping &&
        !(await launchServer(launchOptions, port)
          .then((restartedServer) => (server = restartedServer))
          .catch(() => null))
      )
        await sleep(1000);
      if (isStopping) return server.stop();
    }
  })();
  return {
    url,
    async stop() {
      isStopping = true;
      await server.stop();
      await supervision;
    },
  };
}

async function initializeData({ bin, data, log, password, account }: Files): Promise<void> {
  // The data is created under a temporary name, so that an interrupted start leaves no incomplete database.
  const temporaryData = `${data}.new`;
  await rm(temporaryData, { recursive: true, force: true });
  await mkdir(temporaryData, { mode: 0o700 });
  await rm(password, { force: true });
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    for (const path of [temporaryData, password]) await chown(path, account.uid, account.gid);
  }
  // The password is random, so more hash rounds would only slow down each connection.
  const identityOptions = ['--username=courtside', '--auth=scram-sha-256', `--pwfile=${password}`, '--set=scram_iterations=1'];
  // The builtin locale sorts text in the same order on every machine. `LC_CTYPE` defines the characters that pg_trgm treats as letters.
  const localeOptions = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--lc-ctype=${characterType}`,
  ];
  const child = await spawnGuardedProcess(
    join(bin, 'initdb'),
    [`--pgdata=${temporaryData}`, ...identityOptions, ...localeOptions],
    account,
    log,
  );
  if ((await exitCodeOf(child)) !== 0)
    throw new StartProblem(`PostgreSQL could not initialize its data: ${await lastError(log)}; see ${log}.`);
  await rename(temporaryData, data);
}

const characterType = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
