import compression from 'compression';
import { type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { clientOf, type Trust } from '../gateway/client.js';
import type { Caller, ConcurrencyLimiter, OpenGraph } from '../gateway/run.js';
import { reject } from '../kernel/declare/errors.js';
import { type Exported, give } from './answer.js';
import type { Asking } from './asking.js';
import { gamesCalendar } from './calendar/games.js';
import { tournamentCalendar } from './calendar/tournament.js';
import { csvOf } from './csv/index.js';
import { refuseExport } from './refuse.js';
import { todsOf } from './tods/index.js';

type Header = (name: string) => string | undefined;

interface Options {
  graph: OpenGraph;
  identify(header: Header): Promise<Caller>;
  trust: Trust;
  /** Limits concurrent requests to the database. */
  atWork: ConcurrencyLimiter;
  log: Logger;
}

/** Query parameters of a request. */
const queryOf = ({ originalUrl }: Request): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(originalUrl)?.[1] ?? '');

/** Value of a parameter, or null. Throws BAD_INPUT if it is repeated. */
function oneOf(query: URLSearchParams, name: string): string | null {
  const [value = null, ...more] = query.getAll(name);
  return more.length ? reject(name, 'one value') : value;
}

/** Accepts the publishable key as a URL parameter, because calendar apps cannot send headers. Publishable keys are not secret. */
function withKey(header: Header, request: Request): Header {
  const key = oneOf(queryOf(request), 'key');
  if (key === null) return header;
  if (!key.startsWith('pk_')) reject('key', 'a publishable key, which begins with pk_');
  return (name) => header(name) ?? (name === 'pb-api-token' ? key : undefined);
}

/** Router for exports in standard formats. They read the graph with the rights of the caller. */
export function exportsRouter({ graph, identify, trust, atWork, log }: Options): Router {
  type Make = (request: Request, asking: Asking) => Promise<Exported>;

  /** Runs the work and releases the database slot afterwards. */
  async function inPlace(work: () => Promise<Exported>): Promise<Exported> {
    try {
      return await work();
    } finally {
      atWork.release();
    }
  }

  const serve =
    (make: Make, headerOf: typeof withKey = (header) => header) =>
    async (request: Request, response: Response) => {
      try {
        const client = clientOf(request, response, trust);
        const asking = { caller: await identify(headerOf(client.header, request)), client };
        if (!atWork.tryAcquire()) await atWork.acquire(response);
        const exported = await inPlace(() => make(request, asking));
        await give(request, response, exported);
      } catch (error) {
        refuseExport(response, error, log);
      }
    };
  const id = ({ params }: Request): string => String(params.id);

  const [tods, csv, ofTournament, ofGames] = [todsOf(graph), csvOf(graph), tournamentCalendar(graph), gamesCalendar(graph)];
  return Router()
    .use('/exports', compression())
    .get(
      '/tournaments/:id.tods.json',
      serve((request, asking) => tods(id(request), asking)),
    )
    .get(
      '/tournaments/:id.ics',
      serve((request, asking) => ofTournament(id(request), asking), withKey),
    )
    .get(
      '/users/:id/games.ics',
      serve((request, asking) => ofGames(id(request), oneOf(queryOf(request), 'token'), asking)),
    )
    .get(
      '/exports/:list.csv',
      serve((request, asking) => csv(String(request.params.list), queryOf(request), asking)),
    )
    .use((error: unknown, _request: Request, response: Response, _next: () => void) => refuseExport(response, error, log));
}
