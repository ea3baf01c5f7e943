import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { LoadResult, Shot } from './generator.js';

// Sends requests over plain sockets, one after another on each connection. Counts the responses and checks only their status.
// The argument is a file with the requests.
const { shot, seconds, connections }: { shot: Shot; seconds: number; connections: number } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
);
const { hostname, port } = new URL(shot.origin);
const headerLines = Object.entries(shot.headers).map(([name, value]) => `${name}: ${value}`);
let sentCount = 0;

function request(): string {
  sentCount += 1;
  const { path, body: template } = shot.requests[sentCount % shot.requests.length] ?? { path: '/' };
  const body = template?.replaceAll('$n', String(sentCount % 5000)).replaceAll('$m', String(sentCount));
  return [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    ...headerLines,
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    '',
    body ?? '',
  ].join('\r\n');
}

const volley: LoadResult = { requests: 0, seconds, failed: 0, cpu: 0 };
const end = performance.now() + seconds * 1000;

/** Opens a connection and closes it after the last response. */
const client = () =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname).setNoDelay(true);
    let remainingBytes: number | null = null;
    let isChunked = false;
    let tail = '';
    socket.on('error', reject).on('close', () => resolve());
    socket.on('connect', () => socket.write(request()));
    socket.on('data', (chunk) => {
      let size = chunk.length;
      if (remainingBytes === null && !isChunked) {
        const text = chunk.toString('latin1');
        const length = /content-length: (\d+)/i.exec(text);
        if (!text.startsWith('HTTP/1.1 2')) volley.failed++;
        isChunked = !length;
        remainingBytes = Number(length?.[1] ?? 0);
        size -= text.indexOf('\r\n\r\n') + 4;
      }
      if (isChunked) tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 5))).slice(-5);
      else remainingBytes = (remainingBytes ?? 0) - size;
      if (isChunked ? tail !== '0\r\n\r\n' : remainingBytes !== 0) return;
      volley.requests++;
      [remainingBytes, isChunked, tail] = [null, false, ''];
      if (performance.now() < end) socket.write(request());
      else socket.end();
    });
  });

await Promise.all(Array.from({ length: connections }, client));
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ...volley, cpu: user + system }));
