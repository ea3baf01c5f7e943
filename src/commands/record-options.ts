import { parseArgs } from 'node:util';

export const recordUsage = `npm run record -- --upstream <url> --out <file.har> [--port <number>] [--host <address>] [--only <path>]…

Listens at --port (4001 unless given) of --host (127.0.0.1), passes all requests on to the upstream, and writes those below --only (/v1 and
/sso_platform) with their answers into a new file. Tokens, passwords, codes and what is personal are replaced by pseudonyms before they are
written. Ctrl-C stops it. Exit codes: 0 stopped, 1 failed, 2 not understood.`;

const options = {
  upstream: { type: 'string' },
  out: { type: 'string' },
  port: { type: 'string', default: '4001' },
  host: { type: 'string', default: '127.0.0.1' },
  only: { type: 'string', multiple: true },
  help: { type: 'boolean' },
} as const;

/** What is recorded, from where to where. */
export interface RecordingOptions {
  readonly upstream: string;
  readonly out: string;
  readonly port: number;
  readonly host: string;
  readonly only: readonly string[];
}

/** Whether a text is the address of a server. */
export const isServer = (text: string | undefined): text is string =>
  text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).search === '';

/** What the arguments say; null where that is not understood. */
export function recordOptions(args: string[]): RecordingOptions | null {
  try {
    const { upstream, out, port, host, only = ['/v1', '/sso_platform'], help } = parseArgs({ args, options }).values;
    const isRight = isServer(upstream) && out && /^\d{1,5}$/.test(port) && Number(port) <= 65_535;
    if (!isRight || help || only.some((path) => !path.startsWith('/'))) return null;
    return { upstream, out, port: Number(port), host, only };
  } catch {
    return null;
  }
}
