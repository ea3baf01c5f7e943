import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { GraphQLError } from 'graphql';
import { pino } from 'pino';
import { legacyRouter } from '../../../compat/engine/index.js';
import { legacyRecords, legacyRoutes } from '../../../compat/index.js';
import { subgraphUrl } from '../../../src/commands/emit.js';
import { type EngineName, engineNames } from '../../../src/commands/supergraph/gateway/engines.js';
import { type Gateway, startGateway } from '../../../src/commands/supergraph/gateway/index.js';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { type Caller, createGraph, type Graph } from '../../../src/graphql/run.js';
import { Authenticator } from '../../../src/modules/accounts/sign-in/authenticator.js';
import { modules } from '../../../src/modules/index.js';
import { routerHeaders, type TestApp } from './app.js';
import { startService } from './service-process.js';
import { type SubgraphProxies, startSubgraphProxy } from './subgraph-proxy.js';
import { supergraphFor } from './supergraph.js';

/** Subgraphs in separate processes behind one gateway per engine, with `/v1` on top of a gateway. */
export interface Federation {
  /** GraphQL URLs of the gateways, keyed by engine. */
  graphql: Record<EngineName, string>;
  /** Proxies between the gateways and the subgraphs. */
  lines: SubgraphProxies;
  /** Origin of a `/v1` server that runs its operations at the Hive gateway. */
  legacy: string;
  stop(): Promise<void>;
}

/** Creates a logger, which logs nothing unless `TEST_LOG` names a level. */
const testLog = () => pino({ level: process.env.TEST_LOG ?? 'silent' });

export const routerSecret = 'the-secret-of-the-test-router';
const tokenHeaders = ['pb-api-token', 'pb-user-token', 'authorization'] as const;

/** Returns a graph that sends its operations to the gateway, with the tokens of the caller. */
function remoteGraph(local: Graph, url: string, tokens: WeakMap<Caller, Record<string, string>>): Graph {
  return {
    schema: local.schema,
    cacheVersion: local.cacheVersion,
    prepare(text) {
      return {
        ...local.prepare(text),
        async run(variables, caller) {
          const response = await fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...tokens.get(caller) },
            body: JSON.stringify({ query: text, variables }),
          });
          const { data, errors } = await response.json();
          return {
            data,
            ...(errors ? { errors: errors.map(({ message, ...rest }: GraphQLError) => new GraphQLError(message, rest)) } : {}),
          };
        },
      };
    },
  };
}

/** Returns handlers that forward requests for all other paths to the app, such as the requests for sent emails in golden files. */
const beside = (app: TestApp) => [
  express.text({ type: '*/*' }),
  async (request: express.Request, response: express.Response) => {
    const { method, headers } = request;
    const tokens = Object.fromEntries(tokenHeaders.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
    const answer = await fetch(app.origin + request.url, {
      method,
      headers: { ...tokens, 'content-type': headers['content-type'] ?? 'text/plain' },
      ...(typeof request.body === 'string' ? { body: request.body } : {}),
    });
    response
      .status(answer.status)
      .type(answer.headers.get('content-type') ?? 'text/plain')
      .send(await answer.text());
  },
];

async function startLegacy(app: TestApp, url: string): Promise<{ origin: string; stop(): void }> {
  const log = testLog();
  const authenticator = new Authenticator(app.resources.pools);
  const tokens = new WeakMap<Caller, Record<string, string>>();
  const graph = remoteGraph(createGraph(graphOfModules(), app.resources, log), url, tokens);
  const router = legacyRouter({
    graph,
    routes: legacyRoutes,
    records: legacyRecords,
    paging: 'offset',
    log,
    async identify(headers) {
      const caller = await authenticator.identify((name) => [headers[name]].flat()[0]);
      tokens.set(
        caller,
        Object.fromEntries(tokenHeaders.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []))),
      );
      return caller;
    },
  });
  const server = createServer(express().use(router, beside(app))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Starts a gateway in front of the subgraphs of an app, and `/v1` on top of that gateway. The app needs `SUBGRAPHS: 'all'` and
 * `ROUTER_SECRET`.
 */
export async function startFederationInProcess(app: TestApp): Promise<{ legacyOrigin: string; stop(): Promise<void> }> {
  const supergraph = supergraphFor((module) => subgraphUrl(module, app.origin));
  const gateway = await startGateway('hive', supergraph, routerHeaders['router-secret'], testLog());
  const legacy = await startLegacy(app, gateway.url);
  return {
    legacyOrigin: legacy.origin,
    async stop() {
      legacy.stop();
      await gateway.stop();
    },
  };
}

/** Subgraphs in separate processes. */
export interface SubgraphProcesses {
  lines: SubgraphProxies;
  /** SDL of the supergraph, in which the URLs of the subgraphs point to the proxies. */
  supergraph: string;
  /** Kills the process that serves a module, as if its machine failed. */
  kill(module: string): Promise<void>;
  /** Replaces the killed process that served this module by a new process with the same modules. */
  startAgain(module: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the subgraphs in `count` processes on the database of the app. */
export async function startSubgraphs(app: TestApp, count: number, more: Record<string, string> = {}): Promise<SubgraphProcesses> {
  const groups = Array.from({ length: count }, (_, index) =>
    modules.filter((__, place) => place % count === index).map(({ name }) => name),
  );
  const begin = (names: readonly string[]) =>
    startService({
      DATABASE_URL: app.databaseUrl,
      ROUTER_SECRET: routerSecret,
      GRAPH: 'off',
      SUBGRAPHS: names.join(','),
      LOG_LEVEL: 'error',
      DATABASE_POOL: '4',
      ...more,
    });
  const processes = await Promise.all(groups.map(async (names) => ({ names, service: await begin(names) })));
  const processOf = (name: string) => {
    const subgraphProcess = processes.find(({ names }) => names.includes(name));
    if (!subgraphProcess) throw new Error(`no process serves ${name}`);
    return subgraphProcess;
  };
  const lines = await startSubgraphProxy((name) => subgraphUrl(name, processOf(name).service.origin));
  return {
    lines,
    supergraph: supergraphFor(lines.urlOf),
    async kill(module) {
      const { service } = processOf(module);
      service.signal('SIGKILL');
      await service.exit;
    },
    async startAgain(module) {
      const subgraphProcess = processOf(module);
      subgraphProcess.service = await begin(subgraphProcess.names);
    },
    async stop() {
      lines.stop();
      for (const { service } of processes) service.signal('SIGTERM');
      await Promise.all(processes.map(({ service }) => service.exit));
    },
  };
}

/** Starts a gateway that uses the given engine in front of the subgraphs. */
export const gatewayOf = (engine: EngineName, { supergraph }: SubgraphProcesses): Promise<Gateway> =>
  startGateway(engine, supergraph, routerSecret, testLog());

/**
 * Starts the subgraphs in `count` processes on the database of the app. Starts a gateway of each engine in front of them, and `/v1` on top
 * of the Hive gateway.
 */
export async function startFederation(app: TestApp, count = 2): Promise<Federation> {
  const subgraphs = await startSubgraphs(app, count);
  const gateways = await Promise.all(engineNames.map(async (name) => [name, await gatewayOf(name, subgraphs)] as const));
  const graphql = Object.fromEntries(gateways.map(([name, { url }]) => [name, url])) as Federation['graphql'];
  const legacy = await startLegacy(app, graphql.hive);
  return {
    graphql,
    lines: subgraphs.lines,
    legacy: legacy.origin,
    async stop() {
      legacy.stop();
      await Promise.all(gateways.map(([, gateway]) => gateway.stop()));
      await subgraphs.stop();
    },
  };
}
