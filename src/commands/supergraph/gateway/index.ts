import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { graphOfModules } from '../../../graphql/graph.js';
import { portOf } from '../../../process/port.js';
import { candidatesFrom, type EngineName, startFirstEngine } from './engines.js';
import { createGatewayApp } from './http-app.js';
import { requestTimeout } from './subgraph.js';

export interface Gateway {
  /** Name of the engine: the requested engine, or its first available fallback. */
  engine: string;
  url: string;
  stop(): Promise<void>;
}

interface Options {
  port?: number;
  timeout?: number;
  /** Adds tracing to a request listener. Subgraph requests continue the trace. */
  traced?: ((listener: RequestListener) => RequestListener) | undefined;
}

/** Removes the trace headers of the client. Subgraph requests get the trace headers of the gateway's own span. */
const withoutTrace =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    delete request.headers.traceparent;
    delete request.headers.tracestate;
    return listener(request, response);
  };

/** Starts a gateway for a supergraph. It is for development and tests: in production, use a router. */
export async function startGateway(
  requestedEngine: EngineName,
  supergraph: string,
  secret: string,
  log: Logger,
  { port = 0, timeout = requestTimeout, traced }: Options = {},
): Promise<Gateway> {
  const { name, engine } = await startFirstEngine(candidatesFrom(requestedEngine), supergraph, { secret, timeout }, (message) =>
    log.warn(message),
  );
  const app = createGatewayApp(engine, graphOfModules(), log);
  const http = createServer(traced ? traced(withoutTrace(app)) : app).listen(port, '127.0.0.1');
  await once(http, 'listening');
  return {
    engine: name,
    url: `http://localhost:${portOf(http)}/graphql`,
    stop: async () => {
      http.close();
      http.closeAllConnections();
      await engine.stop();
    },
  };
}
