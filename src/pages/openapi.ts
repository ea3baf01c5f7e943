import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { clientOf, hostPattern, type IsTrustedProxy } from '../graphql/http/client.js';
import { entityTagOf, matchesTag } from '../graphql/http/entity-tag.js';
import { headerReaderOf } from '../graphql/http/request-headers.js';
import { type Code, statuses } from '../kernel/declare/errors.js';
import type { Caller } from '../kernel/declare/policy/caller.js';

export interface OpenApiOptions {
  readonly schema: GraphQLSchema;
  readonly publicUrl: string | null;
  readonly trust: IsTrustedProxy;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
  /** Returns the operations that a platform has called, as `METHOD /path`. Undefined if calls are not counted. */
  calledBy?(platformId: string): Promise<ReadonlySet<string>>;
}

/** A document compressed with gzip, which nearly all clients accept. */
interface GzipDocument {
  readonly origin: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

const gzipDocument = async (text: string, origin: string): Promise<GzipDocument> => ({
  origin,
  bytes: await compress(text),
  etag: entityTagOf(text),
});

/** Prints the document. Imports the required modules on the first request. */
async function printDocument(schema: GraphQLSchema, options: { origin: string; only?: ReadonlySet<string> }): Promise<string> {
  const [{ openApiDocument }, { referenceOf }] = await Promise.all([
    import('../../compat/reference/index.js'),
    import('./reference.js'),
  ]);
  return JSON.stringify(openApiDocument(referenceOf(schema), options));
}

/** Returns the origin of the service: PUBLIC_URL, or else the origin of the request. */
function originOf(request: Request, response: Response, { publicUrl, trust }: OpenApiOptions): string {
  const { host = '' } = request.headers;
  const configured = publicUrl ?? clientOf(request, response, trust).origin;
  return (configured ?? `http://${hostPattern.test(host) ? host : 'localhost'}`).replace(/\/+$/, '');
}

function sendError(response: Response, code: Code, message: string): void {
  response.status(statuses[code]).json({ errors: [{ message, extensions: { code } }] });
}

async function send(request: Request, response: Response, { bytes, etag }: GzipDocument): Promise<void> {
  response.set({ ETag: etag, 'Content-Type': 'application/json; charset=utf-8' }).vary('Accept-Encoding');
  if (matchesTag(request.headers['if-none-match'], etag)) response.status(304).end();
  else if (request.acceptsEncodings('gzip')) response.set('Content-Encoding', 'gzip').send(bytes);
  else response.send(await decompress(bytes));
}

const booleans: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/**
 * Serves the OpenAPI document of `/v1` without authentication. `?mine=true` limits it to the operations that the calling platform has used.
 */
export function openApi(options: OpenApiOptions): RequestHandler {
  const { schema, identify, calledBy } = options;
  // Only one document is cached, because nearly all requests have the same origin.
  let cached: GzipDocument | undefined;

  async function sendCalledOperations(request: Request, response: Response): Promise<void> {
    response.set('Cache-Control', 'private, no-cache').vary('PB-API-TOKEN').vary('Authorization');
    const { platform, rejected } = await identify(headerReaderOf(request.headers));
    if (rejected) return sendError(response, 'UNAUTHENTICATED', 'the token is unknown, expired or revoked');
    if (!platform) return sendError(response, 'UNAUTHENTICATED', 'mine: expected a platform token in the header PB-API-TOKEN');
    if (!calledBy) return sendError(response, 'BAD_INPUT', 'mine: expected false, because calls are not counted here');
    const origin = originOf(request, response, options);
    const calledOperations = await calledBy(platform.id);
    await send(request, response, await gzipDocument(await printDocument(schema, { origin, only: calledOperations }), origin));
  }

  return Router().get('/openapi.json', async (request, response) => {
    const mineParameter = String(request.query.mine ?? 'false').toLowerCase();
    const isLimitedToCalls = booleans[mineParameter];
    if (isLimitedToCalls === undefined) return sendError(response, 'BAD_INPUT', 'mine: expected true or false');
    if (isLimitedToCalls) return sendCalledOperations(request, response);
    const origin = originOf(request, response, options);
    if (cached?.origin !== origin) cached = await gzipDocument(await printDocument(schema, { origin }), origin);
    await send(request, response.set('Cache-Control', 'public, no-cache').vary('Host'), cached);
  });
}
