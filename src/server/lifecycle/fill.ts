import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '../../config/index.js';
import { runExclusively } from '../../database/exclusive-sql.js';
import { checkDemoIsAllowed, hasDemo, isDatabaseEmpty } from '../../demo/demo-state.js';
import { demo } from '../../demo/tokens.js';
import type { ExampleTokens } from '../../graphql/examples/index.js';
import { codeOf } from '../../kernel/declare/errors.js';
import { Pools, Session } from '../../kernel/session.js';
import { bootstrap } from '../../modules/accounts/bootstrap.js';
import { hasReference, loadReference } from '../../modules/reference/load-sql.js';
import { StartProblem } from '../../process/start-problem.js';

/** Context of a stage that fills the database. */
interface FillContext {
  /** Session on the primary database. */
  sql: Session;
  config: Config;
  /** Prints progress. */
  report: (sentence: string) => void;
}

/** Result of a stage. */
interface StageResult {
  /** Lines for the banner. */
  lines?: string[];
  /** Tokens of the demo season. Set only if the database contains it. */
  demoTokens?: ExampleTokens;
  /** Work to do after the service is ready. */
  afterStart?: () => Promise<void>;
}

/** A stage that fills the database. Idempotent. */
type Stage = (context: FillContext) => Promise<StageResult>;

/** Loads the reference data. Data from another release is sufficient to start, and is updated afterwards. */
const referenceData: Stage = async ({ sql }) => {
  const afterStart = () => loadReference(sql);
  if (await hasReference(sql)) return { afterStart };
  await afterStart();
  return {};
};

/** Loads the demo season into an empty database, if it is the embedded one or `DEMO` is set. */
const demoSeason: Stage = async ({ sql, config, report }) => {
  const isDemoEnabled = config.demo === 'auto' ? config.databaseUrl === null : config.demo;
  if (isDemoEnabled && (await isDatabaseEmpty(sql))) {
    const { loadDemo } = await import('../../demo/index.js');
    await loadDemo(sql, (sentence) => report(`Loading the demo season: ${sentence}`));
  }
  const isInDatabase = await hasDemo(sql);
  checkDemoIsAllowed(isInDatabase, config);
  if (!isInDatabase) return {};
  const lines = [
    '',
    `demo key       PB-API-TOKEN: ${demo.publishableKey}  (pages on http://localhost:*)`,
    `demo player    PB-USER-TOKEN: ${demo.userToken}`,
    `demo platform  PB-API-TOKEN: ${demo.platformToken}`,
    `demo admin     PB-USER-TOKEN: ${demo.adminToken}`,
    `               ${demo.adminEmail} / ${demo.adminPassword}`,
  ];
  const { platformToken: platform, publishableKey: publishable, userToken: user, adminToken: admin } = demo;
  return { lines, demoTokens: { platform, publishable, user, admin } };
};

/** Creates the configured platform and admin. Throws a StartProblem for invalid values. */
async function bootstrapAccounts({ sql, config }: FillContext): Promise<StageResult> {
  await bootstrap(sql, config).catch((error: unknown) => {
    throw codeOf(error) === 'BAD_INPUT' && error instanceof Error ? new StartProblem(`${error.message}.`) : error;
  });
  return {};
}

/** The demo season is loaded before the accounts are created, because it requires an empty database. */
const stages: Stage[] = [referenceData, demoSeason, bootstrapAccounts];

/** Results of all stages. `afterStart` does the remaining work when the service is ready, under the same lock. */
interface Fill {
  lines: string[];
  demoTokens: ExampleTokens | null;
  afterStart: () => Promise<void>;
}

/** Fills the migrated database. Only one process at a time can fill a database. */
export const fillDatabase = (orm: MikroORM, config: Config, report: FillContext['report']): Promise<Fill> =>
  runExclusively(orm, 'filling', async () => {
    const context = { sql: new Session(new Pools(orm), 'write'), config, report };
    const results: StageResult[] = [];
    for (const stage of stages) results.push(await stage(context));
    const pendingWork = results.flatMap(({ afterStart = [] }) => afterStart);
    return {
      lines: results.flatMap(({ lines = [] }) => lines),
      demoTokens: results.find(({ demoTokens }) => demoTokens)?.demoTokens ?? null,
      afterStart: () =>
        runExclusively(orm, 'filling', async () => {
          for (const work of pendingWork) await work();
        }),
    };
  });
