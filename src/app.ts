import type { MikroORM } from '@mikro-orm/postgresql';
import compression from 'compression';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { legacyRouter } from '../compat/engine/router.js';
import { legacyRecords, legacyRoutes } from '../compat/index.js';
import type { Config } from './config.js';
import { notReady } from './database/ready-sql.js';
import { graphqlBody } from './gateway/body.js';
import type { Resources } from './gateway/context.js';
import { crossOrigin } from './gateway/cross-origin.js';
import { trustedDocuments } from './gateway/documents/trusted.js';
import { joinDoubled } from './gateway/doubled-headers.js';
import { type ExampleTokens, tabsOf } from './gateway/examples/index.js';
import { graphOfModules } from './gateway/graph.js';
import { headersOf } from './gateway/headers.js';
import { createProbes } from './gateway/probes.js';
import { ReadYourWrites } from './gateway/read-your-writes/index.js';
import { writeTokens } from './gateway/read-your-writes/token.js';
import { requestIdOf } from './gateway/request-id.js';
import { FirstAnswers } from './gateway/retries/first-answers.js';
import { forgetOld } from './gateway/retries/first-answers-sql.js';
import { createGraph } from './gateway/run.js';
import { createSubgraphs } from './gateway/subgraph-server.js';
import { createGraphQL } from './gateway/yoga.js';
import { Pools, Session } from './kernel/session.js';
import { createMessaging } from './messaging/index.js';
import type { Chore, Timetable } from './messaging/timetable.js';
import { Identifier } from './modules/accounts/identify.js';
import { takeOffInvoices } from './modules/checkout/take-off-invoices.js';
import { notify } from './modules/engagement/notify.js';
import { modules } from './modules/index.js';
import { inviteProven } from './modules/scheduler/invite-proven.js';
import { accountPages } from './pages/account-pages.js';
import { graphiql } from './pages/graphiql.js';
import { StartProblem } from './start-problem.js';

export interface AppOptions {
  config: Config;
  orm: MikroORM;
  databaseUrl: string;
  log: Logger;
  /** Tokens that GraphiQL sends; only where the demo data is. */
  demoTokens?: ExampleTokens | null;
  /** When this process does what modules do daily; never without. */
  timetable?: Pick<Timetable, 'cron' | 'lookSeconds'> | null;
}

/** The running service behind its port. */
export interface App {
  express: Express;
  resources: Resources;
  /** Tells balancers that it goes; it still serves. */
  drain(): void;
  close(): Promise<void>;
}

/** The host: its stages in the order in which a request meets them. */
export async function createApp({
  config,
  orm,
  databaseUrl,
  log,
  demoTokens = null,
  timetable = null,
}: AppOptions): Promise<App> {
  const pools = new Pools(orm);
  const identifier = new Identifier(pools);
  const messaging = await createMessaging({
    config: { ...config, catchUnsent: config.databaseUrl === null },
    databaseUrl,
    log,
    timetable: timetable && { ...timetable, chores: choresOn(pools) },
  });
  const services = {
    identifier,
    outbox: messaging.outbox,
    notify,
    addressProven: inviteProven,
    entriesWithdrawn: takeOffInvoices,
    settings: config,
    log,
  };
  const readYourWrites = new ReadYourWrites(pools, writeTokens(config.routerSecrets[0] ?? null), log);
  const resources: Resources = { pools, services, readYourWrites };
  const schema = graphOfModules();
  const { path, isRequired } = config.trustedDocuments;
  const trusted = path === null ? null : await trustedDocuments(path, isRequired, schema, log);
  const identify = (header: (name: string) => string | undefined) => identifier.identify(header);

  const app = express()
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', 'simple')
    .set('trust proxy', config.trustedProxies);
  const shared = crossOrigin((header) => identifier.opensTo(header));
  app.use((request, response, next) => {
    requestIdOf(response);
    joinDoubled(request);
    shared(request, response, next);
  });
  const probes = createProbes(() => notReady(pools));
  app.get(probes.path, probes.answer);
  const protection = helmet({ contentSecurityPolicy: false, crossOriginResourcePolicy: { policy: 'cross-origin' } });
  if (config.graph) {
    const graph = createGraph(schema, resources, log);
    const answers = new FirstAnswers(pools, log);
    const legacy = legacyRouter({
      graph,
      routes: legacyRoutes,
      records: legacyRecords,
      identify: (headers) => identify(headersOf(headers)),
      paging: config.legacyPaging,
      answers,
      log,
    });
    app.use(legacy);
    // Behind /v1, which answers no pages: what protects pages only would cost every one of its answers a dozen headers.
    app.use(protection);
    app.use(accountPages(graph));
    const explorer = graphiql('Courtside', tabsOf(demoTokens));
    app.use(explorer.files);
    app.use('/graphql', compression(), graphqlBody());
    const graphql = createGraphQL({ schema, resources, log, identify, answers, trusted, page: explorer.page });
    app.use(graphql.graphqlEndpoint, graphql as unknown as express.RequestHandler);
    app.get('/', (_, response) => response.redirect('/graphql'));
  }
  const names = servedBy(config.subgraphs);
  const subgraphs = await createSubgraphs({ schema, modules, names, resources, log, identify, ...config });
  app.use(subgraphs.router);
  if (messaging.router) app.use(messaging.router);
  app.use((_: Request, response: Response) => {
    response.status(404).json({ errors: [{ message: 'there is no such path', extensions: { code: 'NOT_FOUND' } }] });
  });
  app.use((error: Error, _request: Request, response: Response, next: NextFunction) => {
    log.error({ err: { message: error.message, stack: error.stack }, requestId: requestIdOf(response) }, 'unexpected error');
    if (response.headersSent) next(error);
    else response.status(500).json({ errors: [{ message: 'internal error', extensions: { code: 'INTERNAL' } }] });
  });
  await messaging.start();
  return {
    express: app,
    resources,
    drain: probes.drain,
    close: async () => {
      await subgraphs.stop();
      await messaging.stop();
    },
  };
}

/** What the modules and the gateway do daily, each time with statements of its own. */
const choresOn = (pools: Pools): Chore[] =>
  [{ name: 'forget-answers', run: forgetOld }, ...modules.flatMap(({ daily = [] }) => daily)].map(({ name, run }) => ({
    name,
    run: () => run(new Session(pools, 'write')),
  }));

/** The modules whose subgraphs this process serves. */
function servedBy(wanted: Config['subgraphs']): string[] {
  const all = modules.map(({ name }) => name);
  if (wanted === 'all' || wanted === 'none') return wanted === 'all' ? all : [];
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length)
    throw new StartProblem(`SUBGRAPHS names no module of this service: ${unknown.join(', ')}. There are ${all.join(', ')}.`);
  return wanted;
}
