import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { clientOf, hostForm, type Trust } from '../gateway/client.js';
import { isKnown, tagOf } from '../gateway/entity-tag.js';
import { headersOf } from '../gateway/headers.js';
import type { Caller } from '../kernel/declare/caller.js';
import { type Code, statuses } from '../kernel/declare/errors.js';

export interface OpenApiOptions {
  readonly schema: GraphQLSchema;
  readonly publicUrl: string | null;
  readonly trust: Trust;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
  /** Which operations a platform has called, as `METHOD /path`; absent where calls are not counted. */
  calledBy?(platformId: string): Promise<ReadonlySet<string>>;
}

/** A document as it leaves, packed by gzip, as nearly all clients take it. */
interface Packed {
  readonly origin: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

const packed = async (text: string, origin: string): Promise<Packed> => ({ origin, bytes: await pack(text), etag: tagOf(text) });

/** The document as text. What it is made with is loaded when somebody asks for it. */
async function textOf(schema: GraphQLSchema, options: { origin: string; only?: ReadonlySet<string> }): Promise<string> {
  const [{ openApiDocument }, { referenceOf }] = await Promise.all([
    import('../../compat/reference/index.js'),
    import('./reference.js'),
  ]);
  return JSON.stringify(openApiDocument(referenceOf(schema), options));
}

/** Where clients reach the service: at its public address, else where this one did. */
function originOf(request: Request, response: Response, { publicUrl, trust }: OpenApiOptions): string {
  const { host = '' } = request.headers;
  const known = publicUrl ?? clientOf(request, response, trust).origin;
  return (known ?? `http://${hostForm.test(host) ? host : 'localhost'}`).replace(/\/+$/, '');
}

function refuse(response: Response, code: Code, message: string): void {
  response.status(statuses[code]).json({ errors: [{ message, extensions: { code } }] });
}

async function send(request: Request, response: Response, { bytes, etag }: Packed): Promise<void> {
  response.set({ ETag: etag, 'Content-Type': 'application/json; charset=utf-8' }).vary('Accept-Encoding');
  if (isKnown(request.headers['if-none-match'], etag)) response.status(304).end();
  else if (request.acceptsEncodings('gzip')) response.set('Content-Encoding', 'gzip').send(bytes);
  else response.send(await unpack(bytes));
}

const choices: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/** The OpenAPI document of `/v1`, for everybody; with `?mine=true` what the platform that asks has called of it. */
export function openApi(options: OpenApiOptions): RequestHandler {
  const { schema, identify, calledBy } = options;
  // One address is asked for nearly always: another one takes its place.
  let whole: Packed | undefined;

  async function mine(request: Request, response: Response): Promise<void> {
    response.set('Cache-Control', 'private, no-cache').vary('PB-API-TOKEN').vary('Authorization');
    const { platform, rejected } = await identify(headersOf(request.headers));
    if (rejected) return refuse(response, 'UNAUTHENTICATED', 'the token is unknown, expired or revoked');
    if (!platform) return refuse(response, 'UNAUTHENTICATED', 'mine: expected a platform token in the header PB-API-TOKEN');
    if (!calledBy) return refuse(response, 'BAD_INPUT', 'mine: expected false, because calls are not counted here');
    const origin = originOf(request, response, options);
    const only = await calledBy(platform.id);
    await send(request, response, await packed(await textOf(schema, { origin, only }), origin));
  }

  return Router().get('/openapi.json', async (request, response) => {
    const asked = String(request.query.mine ?? 'false').toLowerCase();
    const isMine = choices[asked];
    if (isMine === undefined) return refuse(response, 'BAD_INPUT', 'mine: expected true or false');
    if (isMine) return mine(request, response);
    const origin = originOf(request, response, options);
    if (whole?.origin !== origin) whole = await packed(await textOf(schema, { origin }), origin);
    await send(request, response.set('Cache-Control', 'public, no-cache').vary('Host'), whole);
  });
}
