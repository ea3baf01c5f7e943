import type { IncomingMessage, ServerResponse } from 'node:http';
import proxyAddress from 'proxy-addr';
import type { Client } from '../../kernel/declare/context.js';
import { type RequestFacts, requestFactsOf } from '../../kernel/monitoring/request-facts.js';
import { socketFacts } from './collected-facts.js';
import { headerReaderOf } from './request-headers.js';
import { requestIdOf } from './response-headers.js';

/** Whether a proxy is trusted. `distance` is the number of proxies between it and this service: 0 for the nearest proxy. */
export type IsTrustedProxy = (address: string, distance: number) => boolean;

/**
 * Returns the last value of a header, which was added by the nearest proxy. Clients and more distant proxies can forge the other values.
 */
const nearestProxyValue = (header: string | string[] | undefined): string =>
  [header].flat().join(',').split(',').at(-1)?.trim() ?? '';

/** Pattern for the host of a URL, with an optional port. */
export const hostPattern = /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[a-f\d:]+\])(?::\d{1,5})?$/i;

/** Returns the public URL of the service, from the headers of a trusted proxy. Null without a trusted proxy or a valid host. */
function originOf(request: IncomingMessage, trust: IsTrustedProxy): string | null {
  if (!trust(request.socket.remoteAddress ?? '', 0)) return null;
  const host = nearestProxyValue(request.headers['x-forwarded-host']);
  if (!hostPattern.test(host)) return null;
  return `${isSecure(request, trust) ? 'https' : 'http'}://${host}`;
}

/** Whether the request reached a trusted proxy over HTTPS. */
export const isSecure = ({ headers, socket }: IncomingMessage, trust: IsTrustedProxy): boolean =>
  nearestProxyValue(headers['x-forwarded-proto']).toLowerCase() === 'https' && trust(socket.remoteAddress ?? '', 0);

/** Client of one request. Its properties are computed on access. Class instances are faster to create than objects with accessors. */
class RequestClient implements Client {
  // `private` instead of `#`, because objects that inherit from an instance also access these properties.
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse | null,
    private readonly trust: IsTrustedProxy,
    readonly header: Client['header'],
    private readonly ownFacts?: RequestFacts,
  ) {}

  get address(): string {
    return proxyAddress(this.request, this.trust);
  }

  get origin(): string | null {
    return originOf(this.request, this.trust);
  }

  get requestId(): number | undefined {
    return this.response ? requestIdOf(this.response) : this.ownFacts?.requestId;
  }

  get facts(): RequestFacts | undefined {
    return this.ownFacts ?? (this.response ? requestFactsOf(this.response) : undefined);
  }

  setResponseHeader(name: string, value: string): void {
    if (this.response && !this.response.headersSent) this.response.setHeader(name, value);
  }
}

/** Returns the client of an operation that was sent over a WebSocket. `request` is the upgrade request. */
export const clientOfSocket = (request: IncomingMessage, trust: IsTrustedProxy, header: Client['header']): Client =>
  new RequestClient(request, null, trust, header, socketFacts(request));

/** Returns the client of an HTTP request. Forwarding headers are used only if they come from trusted proxies. */
export const clientOf = (
  request: IncomingMessage,
  response: ServerResponse,
  trust: IsTrustedProxy,
  header: Client['header'] = headerReaderOf(request.headers),
): Client => new RequestClient(request, response, trust, header);
