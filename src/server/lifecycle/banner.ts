import type { Config } from '../../config/index.js';

/** Returns the text that is printed when the service is ready. */
export function startupBanner(port: number, { host, graph, workers }: Config, lines: readonly string[]): string {
  const address = `http://${hostFor(host)}:${port}`;
  const links = graph
    ? [
        `GraphiQL     ${address}/graphql`,
        `reference    ${address}/reference/graph`,
        `legacy API   ${address}/v1`,
        `reference    ${address}/reference`,
      ]
    : [];
  const processes = workers > 1 ? [`workers      ${workers}`] : [];
  return [
    '',
    `Courtside is up at ${address}`,
    ...[...links, ...processes, ...lines].map((line) => `  ${line}`),
    '',
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

/** Returns the host name to use in URLs on this machine. */
const hostFor = (host: string): string => {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};
