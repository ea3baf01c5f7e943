import { parseArgs } from 'node:util';
import { isServer } from '../record-options.js';

export const replayUsage = `npm run replay -- <file.har> --old <url> --new <url> [--writes] [--token <name>=<token>]… [--only <pattern>]…
  [--ignore <path>]… [--concurrency <number>] [--rate <number>] [--timeout <seconds>] [--report <file.html>]

Sends each request of the file to both servers, reads twice to the old one, and tells in what the answers of the new one differ. Requests that
change something are sent with --writes only, once to each, in their order; what a server calls what they make is what it is asked for.
--token platform=… stands for the platform tokens of the file, and user, key and secret (passwords and codes) for the others; platform-2=… for one
of them, old-platform=… and new-platform=… where the servers know others. Without it REPLAY_TOKEN_PLATFORM, REPLAY_TOKEN_OLD_PLATFORM_2 and so on
say them, out of sight of others. --only takes routes or paths with * in them, such as 'GET /v1/data/*'; --ignore a path of the JSON,
such as results[].updatedAt. Four requests at once (--concurrency), as fast as it goes (--rate is requests a second), 30 seconds for each
(--timeout). Exit codes: 0 the same, 1 differences or failed, 2 not understood.`;

const options = {
  old: { type: 'string' },
  new: { type: 'string' },
  writes: { type: 'boolean', default: false },
  token: { type: 'string', multiple: true, default: [] as string[] },
  only: { type: 'string', multiple: true, default: [] as string[] },
  ignore: { type: 'string', multiple: true, default: [] as string[] },
  concurrency: { type: 'string', default: '4' },
  rate: { type: 'string' },
  timeout: { type: 'string', default: '30' },
  report: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** What is sent where. */
export interface ReplayOptions {
  readonly file: string;
  readonly old: string;
  readonly new: string;
  readonly writes: boolean;
  /** By their names in upper case, `PLATFORM`, `PLATFORM_2` or `OLD_PLATFORM`. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Whether a route or path is wanted. */
  readonly wants: (...names: (string | null)[]) => boolean;
  readonly ignored: readonly string[];
  readonly concurrency: number;
  /** Requests a second; null for as many as come. */
  readonly rate: number | null;
  /** Milliseconds. */
  readonly patience: number;
  readonly report: string | null;
}

const tokenName = /^(?:(?:old|new)-)?(?:platform|user|key|secret)(?:-\d+)?$/i;
const spelled = (name: string) => name.toUpperCase().replaceAll('-', '_');

function numberIn(text: string | undefined, least: number, most: number): number | null {
  const number = text && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : null;
}

const escaped = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');

/** What the arguments and the environment say; null where that is not understood. */
export function replayOptions(args: string[], environment: Record<string, string | undefined>): ReplayOptions | null {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [file, ...more] = positionals;
    const given = values.token.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const);
    const [concurrency, timeout] = [numberIn(values.concurrency, 1, 100), numberIn(values.timeout, 0.1, 600)];
    const rate = values.rate === undefined ? null : numberIn(values.rate, 0.01, 10_000);
    const isWrong =
      more.length > 0 ||
      values.help ||
      (values.rate !== undefined && rate === null) ||
      given.some(([name, token]) => !tokenName.test(name) || !token);
    if (!file || !isServer(values.old) || !isServer(values.new) || !concurrency || !timeout || isWrong) return null;
    const fromEnvironment = Object.entries(environment).flatMap(([name, token]): [string, string][] => {
      const [, rest] = /^REPLAY_TOKEN_(\w+)$/.exec(name) ?? [];
      return rest && token ? [[rest, token]] : [];
    });
    const patterns = values.only.map(
      (text) => new RegExp(`^(?:[A-Z]+ )?${escaped(text).replace(/^(?:GET|HEAD|POST|PUT|PATCH|DELETE) /, '(?:$&)')}$`),
    );
    return {
      file,
      old: values.old,
      new: values.new,
      writes: values.writes,
      tokens: new Map([...fromEnvironment, ...given.map(([name, token]) => [spelled(name), token] as const)]),
      wants: (...names) =>
        patterns.length === 0 || names.some((name) => name !== null && patterns.some((pattern) => pattern.test(name))),
      ignored: values.ignore,
      concurrency: Math.floor(concurrency),
      rate,
      patience: timeout * 1000,
      report: values.report ?? null,
    };
  } catch {
    return null;
  }
}
