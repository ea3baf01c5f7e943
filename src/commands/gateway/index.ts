import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { graphOfModules } from '../../gateway/graph.js';
import { portOf } from '../../port.js';
import { candidatesFrom, type EngineName, startFirst } from './engines.js';
import { frontOf } from './front.js';
import { requestTimeout } from './subgraph.js';

export { type EngineName, engineNames, isNotThere, notInstalled } from './engines.js';

export interface Gateway {
  /** The engine that runs: the one asked for, or the next one where that is not there. */
  engine: string;
  url: string;
  stop(): Promise<void>;
}

interface Options {
  port?: number;
  timeout?: number;
  /** Makes each request part of a trace, which its requests to subgraphs carry on. */
  traced?: ((listener: RequestListener) => RequestListener) | undefined;
}

/** Without the headers of a trace of the caller's: they would go out beside those of the span that is part of it. */
const withoutTrace =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    delete request.headers.traceparent;
    delete request.headers.tracestate;
    return listener(request, response);
  };

/** A gateway over a supergraph, for development and tests; in production take a router. */
export async function startGateway(
  wanted: EngineName,
  supergraph: string,
  secret: string,
  log: Logger,
  { port = 0, timeout = requestTimeout, traced }: Options = {},
): Promise<Gateway> {
  const { name, engine } = await startFirst(candidatesFrom(wanted), supergraph, { secret, timeout }, (sentence) =>
    log.warn(sentence),
  );
  const front = frontOf(engine, graphOfModules(), log);
  const http = createServer(traced ? traced(withoutTrace(front)) : front).listen(port, '127.0.0.1');
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
