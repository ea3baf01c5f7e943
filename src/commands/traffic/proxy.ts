import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { capture } from './captured.js';
import type { Exchange } from './entry.js';

/** Headers that speak of one connection. */
const ofConnections = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** Names and values in turns, as they came, without what speaks of the connection. */
const passedOn = ({ rawHeaders }: IncomingMessage, without = ofConnections): string[] =>
  rawHeaders.filter((_, index) => !without.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()));

const forwarding = new Set([...ofConnections, 'x-forwarded-for']);

/** As any proxy says on whose behalf it asks. */
function forwarded(incoming: IncomingMessage): string[] {
  const { headers, socket } = incoming;
  const chain = [headers['x-forwarded-for'] ?? [], socket.remoteAddress ?? []].flat().join(', ');
  return [
    ...passedOn(incoming, forwarding),
    'X-Forwarded-For',
    chain,
    ...(headers['x-forwarded-host'] || !headers.host ? [] : ['X-Forwarded-Host', headers.host]),
    ...(headers['x-forwarded-proto'] ? [] : ['X-Forwarded-Proto', 'http']),
    // The length is told, or the body comes in pieces.
    ...(headers['transfer-encoding'] ? ['Transfer-Encoding', 'chunked'] : []),
  ];
}

interface Proxying {
  /** The address of the server behind it. */
  readonly upstream: string;
  /** Whether an exchange is told of. */
  wants(path: string): boolean;
  done(exchange: Exchange): void;
}

function refuse(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else
    response
      .writeHead(502, 'Bad Gateway', { 'content-type': 'application/json' })
      .end('{"Code":502,"Message":"the upstream cannot be reached"}');
}

/** A proxy that passes everything on as it comes, and tells of it when it is over. */
export function recordingProxy({ upstream, wants, done }: Proxying): Server {
  const { origin, protocol, pathname, host } = new URL(upstream);
  const isSecure = protocol === 'https:';
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const begin = isSecure ? secureRequest : request;
  const base = pathname.replace(/\/+$/, '');

  return createServer((incoming, outgoing) => {
    const { method, url: path = '/' } = incoming;
    const begun = new Date();
    const clock = performance.now();
    const since = () => Math.round((performance.now() - clock) * 1000) / 1000;
    const isWanted = wants(path);
    const sent = capture(incoming);
    let [hasBegun, isRefused] = [false, false];
    const tell = (over: Pick<Exchange, 'response' | 'received' | 'waited'>) => {
      if (isWanted) done({ begun, upstream: origin + base, request: incoming, sent, took: since(), ...over });
    };
    const onward = begin(
      origin,
      { method, path: base + path, agent, headers: ['Host', host, ...forwarded(incoming)] },
      (response) => {
        const waited = since();
        const received = capture(response);
        try {
          outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, passedOn(response));
        } catch {
          // No server may answer so: a status of two digits, or letters that no header has.
          onward.destroy(new Error('an answer that is no HTTP'));
          return;
        }
        hasBegun = true;
        pipeline(response, outgoing, (error) => {
          if (error) outgoing.destroy();
          tell({ response, received: response.complete ? received : null, waited });
        });
      },
    );
    // What breaks off after its begin is told of where it is passed on.
    const unanswered = () => {
      if (hasBegun || isRefused) return;
      isRefused = true;
      refuse(outgoing);
      tell({ response: null, received: null, waited: since() });
    };
    // Not all that ends without an answer is an error.
    onward.on('error', unanswered).once('close', unanswered);
    outgoing.once('close', () => {
      // The client left.
      if (!outgoing.writableFinished) onward.destroy();
    });
    incoming.once('error', () => onward.destroy());
    incoming.pipe(onward);
  }).on('close', () => agent.destroy());
}
