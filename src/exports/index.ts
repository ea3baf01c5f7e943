import compression from 'compression';
import { type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { clientOf, type IsTrustedProxy } from '../graphql/http/client.js';
import type { AdHocGraph, Caller, ConcurrencyLimiter, RequestFacts } from '../graphql/run.js';
import { reject } from '../kernel/declare/errors.js';
import { gamesCalendar } from './calendar/games.js';
import { tournamentCalendar } from './calendar/tournament.js';
import { createCsvExport } from './csv/index.js';
import type { ExportCaller } from './run-query.js';
import { type ExportContent, sendExport, sendExportError } from './send-export.js';
import { createTodsExporter } from './tods/index.js';

type Header = (name: string) => string | undefined;

interface Options {
  graph: AdHocGraph;
  /** Identifies the caller of a request and records it in `facts`. */
  identify(header: Header, facts?: RequestFacts): Promise<Caller>;
  trust: IsTrustedProxy;
  /** Limits how many requests use the database at once. */
  databaseLimiter: ConcurrencyLimiter;
  log: Logger;
}

const queryOf = ({ originalUrl }: Request): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(originalUrl)?.[1] ?? '');

/** Returns the value of a parameter, or null if it is missing. Throws BAD_INPUT if it is repeated. */
function singleParameter(query: URLSearchParams, name: string): string | null {
  const [value = null, ...otherValues] = query.getAll(name);
  return otherValues.length ? reject(name, 'one value') : value;
}

/**
 * Returns a function that reads headers. If the URL contains a publishable key, the function returns it for a missing `PB-API-TOKEN`
 * header. Calendar apps cannot send headers, and publishable keys are not secret.
 */
function withKey(header: Header, request: Request): Header {
  const key = singleParameter(queryOf(request), 'key');
  if (key === null) return header;
  if (!key.startsWith('pk_')) reject('key', 'a publishable key, which begins with pk_');
  return (name) => header(name) ?? (name === 'pb-api-token' ? key : undefined);
}

/** Creates the router for exports in standard formats. Exports contain only data that the caller can read. */
export function exportsRouter({ graph, identify, trust, databaseLimiter, log }: Options): Router {
  type ExportBuilder = (request: Request, exportCaller: ExportCaller) => Promise<ExportContent>;

  /** Runs the work and then releases the database slot. */
  async function releaseAfter(work: () => Promise<ExportContent>): Promise<ExportContent> {
    try {
      return await work();
    } finally {
      databaseLimiter.release();
    }
  }

  const exportHandler =
    (buildExport: ExportBuilder, headerOf: typeof withKey = (header) => header) =>
    async (request: Request, response: Response) => {
      try {
        const client = clientOf(request, response, trust);
        const exportCaller = { caller: await identify(headerOf(client.header, request), client.facts), client };
        if (!databaseLimiter.tryAcquire()) await databaseLimiter.acquire(response);
        const exported = await releaseAfter(() => buildExport(request, exportCaller));
        await sendExport(request, response, exported);
      } catch (error) {
        sendExportError(response, error, log);
      }
    };
  const id = ({ params }: Request): string => String(params.id);

  const [tods, csv, tournamentExport, gamesExport] = [
    createTodsExporter(graph),
    createCsvExport(graph),
    tournamentCalendar(graph),
    gamesCalendar(graph),
  ];
  return Router()
    .use('/exports', compression())
    .get(
      '/tournaments/:id.tods.json',
      exportHandler((request, exportCaller) => tods(id(request), exportCaller)),
    )
    .get(
      '/tournaments/:id.ics',
      exportHandler((request, exportCaller) => tournamentExport(id(request), exportCaller), withKey),
    )
    .get(
      '/users/:id/games.ics',
      exportHandler((request, exportCaller) =>
        gamesExport(id(request), singleParameter(queryOf(request), 'token'), exportCaller),
      ),
    )
    .get(
      '/exports/:list.csv',
      exportHandler((request, exportCaller) => csv(String(request.params.list), queryOf(request), exportCaller)),
    )
    .use((error: unknown, _request: Request, response: Response, _next: () => void) => sendExportError(response, error, log));
}
