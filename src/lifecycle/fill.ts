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

/** What a stage of filling the database is given. */
interface Filling {
  /** Statements on the primary. */
  sql: Session;
  config: Config;
  /** Tells the person who started the service what is going on. */
  say: (sentence: string) => void;
}

/** What a stage has to tell when the service is up. */
interface Filled {
  lines?: string[];
  /** The tokens of its sign-ons, when the database holds the demo season. */
  demoTokens?: ExampleTokens;
  /** What can wait until the service is up. */
  later?: () => Promise<void>;
}

/** Fills the database, and does nothing when that is done already. */
type Stage = (filling: Filling) => Promise<Filled>;

/** Reference data of another version are good enough to begin with. */
const referenceData: Stage = async ({ sql }) => {
  const later = () => loadReference(sql);
  if (await hasReference(sql)) return { later };
  await later();
  return {};
};

/** Loads the season into a database that nobody has used: into the embedded one, or where it is asked for. */
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

/** The platform and the admin of the configuration, whose values may be refused. */
async function firstSignOns({ sql, config }: Filling): Promise<Filled> {
  await bootstrap(sql, config).catch((error: unknown) => {
    throw codeOf(error) === 'BAD_INPUT' && error instanceof Error ? new StartProblem(`${error.message}.`) : error;
  });
  return {};
}

/** In this order: the season asks whether the database is empty, so it comes before what the configuration creates. */
const stages: Stage[] = [referenceData, demoSeason, firstSignOns];

/** What the database has been filled with, and what is left to be done, alone again, once the service is up. */
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
