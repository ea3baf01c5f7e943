import type { IncomingMessage, ServerResponse } from 'node:http';
import proxyAddress from 'proxy-addr';
import type { Client } from '../kernel/declare/context.js';
import { headersOf } from './headers.js';
import { nextRequestId, requestIdOf } from './request-id.js';

/** Whether a proxy is trusted: by its address and its distance, the nearest being 0. */
export type Trust = (address: string, distance: number) => boolean;

/** What the nearest proxy says: those behind it, and clients, may have sent the header before. */
const nearest = (header: string | string[] | undefined): string => [header].flat().join(',').split(',').at(-1)?.trim() ?? '';

/** A host as URLs have it, with or without a port. */
export const hostForm = /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[a-f\d:]+\])(?::\d{1,5})?$/i;

/** Under which address a request reached a trusted proxy; null where none says so, or says something that is no host. */
function originOf(request: IncomingMessage, trust: Trust): string | null {
  if (!trust(request.socket.remoteAddress ?? '', 0)) return null;
  const host = nearest(request.headers['x-forwarded-host']);
  if (!hostForm.test(host)) return null;
  return `${isSecure(request, trust) ? 'https' : 'http'}://${host}`;
}

/** Whether a request reached a trusted proxy by HTTPS. */
export const isSecure = ({ headers, socket }: IncomingMessage, trust: Trust): boolean =>
  nearest(headers['x-forwarded-proto']).toLowerCase() === 'https' && trust(socket.remoteAddress ?? '', 0);

/** What is asked of a client is worked out when it is asked for: a class, because an object with accessors of its own takes long to make. */
class Sender implements Client {
  private number: number | undefined;

  // Not private by `#`: an object that has this one for its prototype asks it, too.
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse | null,
    private readonly trust: Trust,
    readonly header: Client['header'],
  ) {}

  get address(): string {
    return proxyAddress(this.request, this.trust);
  }

  get origin(): string | null {
    return originOf(this.request, this.trust);
  }

  get requestId(): number {
    if (this.response) return requestIdOf(this.response);
    this.number ??= nextRequestId();
    return this.number;
  }

  tell(name: string, value: string): void {
    if (this.response && !this.response.headersSent) this.response.setHeader(name, value);
  }
}

/** Who sends an operation over a socket, which began with a request. */
export const clientOfSocket = (request: IncomingMessage, trust: Trust, header: Client['header']): Client =>
  new Sender(request, null, trust, header);

/** Who sends a request. No header of the client counts for its address but behind trusted proxies. */
export const clientOf = (
  request: IncomingMessage,
  response: ServerResponse,
  trust: Trust,
  header: Client['header'] = headersOf(request.headers),
): Client => new Sender(request, response, trust, header);
