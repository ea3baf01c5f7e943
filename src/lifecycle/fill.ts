import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '../config.js';
import { alone } from '../database/alone-sql.js';
import { isEmpty } from '../demo/is-empty.js';
import { checkDemo, hasDemo } from '../demo/served-demo.js';
import { demo } from '../demo/tokens.js';
import type { ExampleTokens } from '../gateway/examples/index.js';
import { codeOf } from '../kernel/declare/errors.js';
import { Pools, Session } from '../kernel/session.js';
import { bootstrap } from '../modules/accounts/bootstrap.js';
import { hasReference, loadReference } from '../modules/reference/load.js';
import { StartProblem } from '../start-problem.js';

/** Context of a stage that fills the database. */
interface Filling {
  /** Session on the primary database. */
  sql: Session;
  config: Config;
  /** Prints progress. */
  say: (sentence: string) => void;
}

/** Result of a stage. */
interface Filled {
  lines?: string[];
  /** Banner lines with the demo tokens, if the database has the demo season. */
  demoTokens?: ExampleTokens;
  /** Work to do after the service is ready. */
  later?: () => Promise<void>;
}

/** A stage that fills the database. Idempotent. */
type Stage = (filling: Filling) => Promise<Filled>;

/** Reference data of another version are sufficient for the start, and are updated afterwards. */
const referenceData: Stage = async ({ sql }) => {
  const later = () => loadReference(sql);
  if (await hasReference(sql)) return { later };
  await later();
  return {};
};

/** Loads the demo season into an empty database, if it is the embedded one or `DEMO` is set. */
const demoSeason: Stage = async ({ sql, config, say }) => {
  const wanted = config.demo === 'auto' ? config.databaseUrl === null : config.demo;
  if (wanted && (await isEmpty(sql))) {
    const { loadDemo } = await import('../demo/index.js');
    await loadDemo(sql, (sentence) => say(`Loading the demo season: ${sentence}`));
  }
  const isInDatabase = await hasDemo(sql);
  checkDemo(isInDatabase, config);
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

/** Creates the platform and the admin of the configuration. Rejects invalid values. */
async function firstSignOns({ sql, config }: Filling): Promise<Filled> {
  await bootstrap(sql, config).catch((error: unknown) => {
    throw codeOf(error) === 'BAD_INPUT' && error instanceof Error ? new StartProblem(`${error.message}.`) : error;
  });
  return {};
}

/** The season comes before the configuration, because it is loaded only into an empty database. */
const stages: Stage[] = [referenceData, demoSeason, firstSignOns];

/** Results of all stages, and the work to do under the same lock after the service is ready. */
export interface Fill {
  lines: string[];
  demoTokens: ExampleTokens | null;
  rest: () => Promise<void>;
}

/** Fills the database after its migrations, one process at a time. */
export const fill = (orm: MikroORM, config: Config, say: Filling['say']): Promise<Fill> =>
  alone(orm, 'filling', async () => {
    const filling = { sql: new Session(new Pools(orm), 'write'), config, say };
    const filled: Filled[] = [];
    for (const stage of stages) filled.push(await stage(filling));
    const left = filled.flatMap(({ later = [] }) => later);
    return {
      lines: filled.flatMap(({ lines = [] }) => lines),
      demoTokens: filled.find(({ demoTokens }) => demoTokens)?.demoTokens ?? null,
      rest: () =>
        alone(orm, 'filling', async () => {
          for (const each of left) await each();
        }),
    };
  });
