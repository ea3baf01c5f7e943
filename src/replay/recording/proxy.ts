import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { httpClientOf } from '../comparison/server.js';
import { captureBody, type Exchange } from './entry.js';

/** Headers that proxies do not forward, because they apply to a single connection. */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** Returns the names and values of the headers, alternating. Omits excluded headers. */
const forwardedHeaders = ({ rawHeaders }: IncomingMessage, excludedNames = connectionHeaders): string[] =>
  rawHeaders.filter((_, index) => !excludedNames.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()));

const replacedHeaders = new Set([...connectionHeaders, 'x-forwarded-for']);

/** Returns the headers of the request to the upstream. Appends the address of the client to `X-Forwarded-For`. */
function requestHeaders(incoming: IncomingMessage): string[] {
  const { headers, socket } = incoming;
  const chain = [headers['x-forwarded-for'] ?? [], socket.remoteAddress ?? []].flat().join(', ');
  return [
    ...forwardedHeaders(incoming, replacedHeaders),
    'X-Forwarded-For',
    chain,
    ...(headers['x-forwarded-host'] || !headers.host ? [] : ['X-Forwarded-Host', headers.host]),
    ...(headers['x-forwarded-proto'] ? [] : ['X-Forwarded-Proto', 'http']),
    // A body without a Content-Length header is chunked.
    ...(headers['transfer-encoding'] ? ['Transfer-Encoding', 'chunked'] : []),
  ];
}

interface ProxyOptions {
  /** URL of the server that receives the requests. */
  readonly upstream: string;
  /** Whether `onExchange` is called for requests with this path. */
  isRecorded(path: string): boolean;
  onExchange(exchange: Exchange): void;
}

function sendBadGateway(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else
    response
      .writeHead(502, 'Bad Gateway', { 'content-type': 'application/json' })
      .end('{"Code":502,"Message":"the upstream cannot be reached"}');
}

/** Creates a proxy that forwards all requests and reports each finished exchange with a path that `isRecorded` accepts. */
export function createRecordingProxy({ upstream, isRecorded, onExchange }: ProxyOptions): Server {
  const { origin, host, basePath, agent, startRequest } = httpClientOf(upstream);
  return createServer((incoming, outgoing) => {
    const { method, url: path = '/' } = incoming;
    const startedAt = new Date();
    const startTime = performance.now();
    const elapsed = () => Math.round((performance.now() - startTime) * 1000) / 1000;
    const isSelected = isRecorded(path);
    const capturedRequest = captureBody(incoming);
    let [hasResponse, hasFailed] = [false, false];
    const report = (outcome: Pick<Exchange, 'response' | 'capturedResponse' | 'waitTime'>) => {
      if (isSelected)
        onExchange({
          startedAt,
          upstream: origin + basePath,
          request: incoming,
          capturedRequest,
          duration: elapsed(),
          ...outcome,
        });
    };
    const forwardedRequest = startRequest(
      origin,
      { method, path: basePath + path, agent, headers: ['Host', host, ...requestHeaders(incoming)] },
      (response) => {
        const waitTime = elapsed();
        const capturedResponse = captureBody(response);
        try {
          outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, forwardedHeaders(response));
        } catch {
          // The response is not valid HTTP. For example, its status has two digits, or a header contains an invalid character.
          forwardedRequest.destroy(new Error('the upstream sent an invalid HTTP response'));
          return;
        }
        hasResponse = true;
        pipeline(response, outgoing, (error) => {
          if (error) outgoing.destroy();
          report({ response, capturedResponse: response.complete ? capturedResponse : null, waitTime });
        });
      },
    );
    // Handles requests without a response. If a response has started, the pipeline above reports it, even if it is interrupted.
    const onMissingResponse = () => {
      if (hasResponse || hasFailed) return;
      hasFailed = true;
      sendBadGateway(outgoing);
      report({ response: null, capturedResponse: null, waitTime: elapsed() });
    };
    // A connection can close without a response and without an error.
    forwardedRequest.on('error', onMissingResponse).once('close', onMissingResponse);
    outgoing.once('close', () => {
      // The client disconnected.
      if (!outgoing.writableFinished) forwardedRequest.destroy();
    });
    incoming.once('error', () => forwardedRequest.destroy());
    incoming.pipe(forwardedRequest);
  }).on('close', () => agent.destroy());
}
