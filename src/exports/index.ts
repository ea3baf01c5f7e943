import compression from 'compression';
import { type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { clientOf, type Trust } from '../gateway/client.js';
import type { Caller, OpenGraph, Room } from '../gateway/run.js';
import { type Exported, give } from './answer.js';
import type { Asking } from './asking.js';
import { csvOf } from './csv/index.js';
import { refuseExport } from './refuse.js';
import { todsOf } from './tods/index.js';

interface Options {
  graph: OpenGraph;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
  trust: Trust;
  /** Those that are at work on the database. */
  atWork: Room;
  log: Logger;
}

/** Exports of what the graph has, in formats of others. They are clients of the graph, with the rights of who asks. */
export function exportsRouter({ graph, identify, trust, atWork, log }: Options): Router {
  type Make = (request: Request, asking: Asking) => Promise<Exported>;

  const serve = (make: Make) => async (request: Request, response: Response) => {
    try {
      const client = clientOf(request, response, trust);
      const asking = { caller: await identify(client.header), client };
      if (!atWork.enter()) await atWork.wait(response);
      const exported = await make(request, asking).finally(() => atWork.leave());
      await give(request, response, exported);
    } catch (error) {
      refuseExport(response, error, log);
    }
  };

  const tods = todsOf(graph);
  const csv = csvOf(graph);
  return Router()
    .get(
      '/tournaments/:id.tods.json',
      serve((request, asking) => tods(String(request.params.id), asking)),
    )
    .use('/exports', compression())
    .get(
      '/exports/:list.csv',
      serve((request, asking) =>
        csv(String(request.params.list), new URLSearchParams(/\?(.*)$/s.exec(request.url)?.[1] ?? ''), asking),
      ),
    )
    .use((error: unknown, _request: Request, response: Response, _next: () => void) => refuseExport(response, error, log));
}
