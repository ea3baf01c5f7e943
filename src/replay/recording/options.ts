import { parseArguments, UsageError } from '../../process/command.js';

export const recordUsage = `Usage: courtside record --upstream <url> --out <file.har> [options]

Starts a proxy that forwards all requests to a server and records requests and responses in a new HAR file. Tokens, passwords, codes and
personal data are replaced by pseudonyms before they are written. Press Ctrl-C to stop.

Options:
  --upstream <url>   Server that receives the requests. Required.
  --out <file.har>   File to write. It must not exist. Required.
  --port <number>    Port of the proxy. 0 is any free port. Default: 4001.
  --host <address>   Address of the proxy. Default: 127.0.0.1. With 0.0.0.0, other machines can connect.
  --only <path>      Record only requests to this path or a path below it. Repeat it for several paths. Default: /v1 and /sso_platform.
  --help             Show this help.

Examples:
  courtside record --upstream https://api.example.com --out traffic.har
  courtside record --upstream http://localhost:4000 --out teams.har --only /v1/data/teams

Exit codes: 0 if stopped, 1 for an error, 2 for invalid arguments.`;

const options = {
  upstream: { type: 'string' },
  out: { type: 'string' },
  port: { type: 'string', default: '4001' },
  host: { type: 'string', default: '127.0.0.1' },
  only: { type: 'string', multiple: true },
} as const;

/** Options of a recording. */
export interface RecordingOptions {
  /** URL of the server that receives the requests. */
  readonly upstream: string;
  /** Name of the HAR file to create. */
  readonly out: string;
  readonly port: number;
  readonly host: string;
  /** Paths to record, including the paths below them. */
  readonly only: readonly string[];
}

/** Returns the URL in an option. Throws a `UsageError` if it is missing, not an HTTP URL, or has a query. */
export function serverUrl(option: string, value: string | undefined): string {
  if (value !== undefined && /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).search === '') return value;
  throw new UsageError(
    `${option}: expected a URL such as http://localhost:4000${value === undefined ? '' : `, but got ${value}`}.`,
  );
}

/** Parses the arguments of the command. Throws a `UsageError` if they are invalid. */
export function recordOptions(args: string[]): RecordingOptions {
  const { upstream, out, port, host, only = ['/v1', '/sso_platform'] } = parseArguments({ args, options }).values;
  if (!out) throw new UsageError('--out: expected the name of a new file.');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port: expected a number from 0 to 65535, but got ${port}.`);
  const relativePath = only.find((path) => !path.startsWith('/'));
  if (relativePath !== undefined) throw new UsageError(`--only: expected a path that starts with "/", but got ${relativePath}.`);
  return { upstream: serverUrl('--upstream', upstream), out, port: Number(port), host, only };
}
