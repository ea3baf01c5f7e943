import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

/** A request to send. The same header can occur several times. */
export interface RequestToSend {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Buffer;
}

export interface ReceivedResponse {
  /** 0 if there was no response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Time until the last byte, in ms. */
  readonly took: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Time to wait for a response, in ms. It exceeds the permitted response time, to distinguish slow responses from missing responses. */
const timeoutMs = 20_000;

/** Sends a request. If there is no response, the result has the status 0 and the reason as its text. */
export async function send(origin: string, sent: RequestToSend): Promise<ReceivedResponse> {
  const response = await exchange(origin, sent);
  // Retries once, because the server may close an idle connection while a request is being sent.
  return response.isStale ? exchange(origin, sent) : response;
}

function exchange(
  origin: string,
  { method, path, headers, body }: RequestToSend,
): Promise<ReceivedResponse & { isStale?: boolean }> {
  const startedAt = performance.now();
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const { hostname, port } = new URL(origin);
  const length = bytes ? ['content-length', String(bytes.length)] : method === 'GET' ? [] : ['content-length', '0'];
  const lines = ['host', `${hostname}:${port}`, ...headers.flat(), ...length];
  return new Promise((resolve) => {
    const finish = (response: Omit<ReceivedResponse, 'took'> & { isStale?: boolean }) =>
      resolve({ ...response, took: performance.now() - startedAt });
    const failed = (error: Error & { code?: string }) =>
      finish({ status: 0, headers: {}, text: String(error), isStale: clientRequest.reusedSocket && error.code === 'ECONNRESET' });
    const clientRequest = request({ agent, hostname, port, method, path, headers: lines, timeout: timeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .once('error', failed)
        .once('end', () => {
          const { statusCode = 0, headers: received } = response;
          finish({ status: statusCode, headers: received, text: Buffer.concat(chunks).toString() });
        });
    });
    clientRequest
      .once('error', failed)
      .once('timeout', () => clientRequest.destroy(new Error(`no response within ${timeoutMs} ms`)));
    clientRequest.end(bytes);
  });
}

/** Returns a request as a curl command that reproduces a finding. */
export function asCurl(origin: string, { method, path, headers, body }: RequestToSend): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const headerOptions = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const data = body === undefined ? [] : [`--data-binary ${quoted(body.toString().slice(0, 4_000))}`];
  return ['curl -si -X', method, ...headerOptions, ...data, quoted(origin + path)].join(' ');
}
