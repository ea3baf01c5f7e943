import type { Logger } from 'pino';
import { type Config, configWarnings } from '../../config/index.js';
import { StartProblem } from '../../process/start-problem.js';
import { checkPort } from './listen.js';

/** Throws if the password of the bootstrap admin breaks the rules for passwords. Runs before the database starts, and only in production. */
export async function checkAdminPassword({
  isProduction,
  bootstrap: { admin },
}: Pick<Config, 'isProduction' | 'bootstrap'>): Promise<void> {
  if (!isProduction || !admin) return;
  // The module is imported on demand, because it loads a native library and a word list.
  const { isUnacceptablePassword } = await import('../../modules/accounts/passwords/password.js');
  if (await isUnacceptablePassword(admin.password, admin))
    throw new StartProblem(
      'BOOTSTRAP_ADMIN_PASSWORD must have 8 to 200 characters, and be hard to guess: choose a longer password, or one with less common words.',
    );
}

/** Throws if the manifest of trusted documents is unreadable or invalid. Processes without `/graphql` do not read it. */
export async function checkTrustedDocuments({
  graph,
  trustedDocuments: { path },
}: Pick<Config, 'graph' | 'trustedDocuments'>): Promise<void> {
  if (graph && path !== null) await (await import('../../graphql/documents/document-manifest.js')).readDocumentManifest(path);
}

/**
 * Checks that the port of the service and the metrics port of each worker are free. Workers open their metrics ports only after the
 * database is ready, so this check finds conflicts earlier.
 */
async function checkPorts({ host, port, metricsPort, workers }: Config): Promise<void> {
  await checkPort({ host, port });
  if (metricsPort === null) return;
  for (let worker = 0; worker < workers; worker++)
    await checkPort({ host, port: metricsPort + worker, variable: 'METRICS_PORT' });
}

/** Logs a problem that does not prevent the start. */
export type Warn = (problem: string) => void;

/**
 * Returns a function that logs warnings. The function imports the log on the first warning, because a start without problems does not need
 * it yet.
 */
export function warnInLog({ logLevel }: Pick<Config, 'logLevel'>): Warn {
  let log: Promise<Logger> | undefined;
  return (problem) => {
    log ??= import('./log.js').then(({ createLog }) => createLog(logLevel));
    void log.then((loaded) => loaded.warn(problem));
  };
}

/** Checks the configuration before anything is started. Throws a StartProblem, or calls `warn` for problems that do not prevent the start. */
export async function checkConfig(config: Config, warn: Warn): Promise<void> {
  for (const warning of configWarnings()) warn(warning);
  await checkPorts(config);
  await checkAdminPassword(config);
  await checkTrustedDocuments(config);
}
