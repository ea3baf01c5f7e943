import { bothSetProblem, readSecretFile } from '../../config/secret-files.js';
import { parseArguments, UsageError } from '../../process/command.js';
import { serverUrl } from '../recording/options.js';

export const replayUsage = `Usage: courtside replay <file.har> --old <url> --new <url> [options]

Sends the requests of a recording to two servers and reports differences between their responses. Read requests are sent to the old server
twice, and differences between its own responses are ignored. Write requests are sent only with --writes, once to each server and in order.

Options:
  --old <url>              Server with the expected responses. Required.
  --new <url>              Server to compare with it. Required.
  --writes                 Also send requests that change data. Later requests to a server use the IDs that it assigned.
  --token <name>=<token>   Token that replaces pseudonyms of the recording. See below. Repeat it for several tokens.
  --only <pattern>         Send only these routes or paths. * matches any text. Repeat it for several patterns.
  --ignore <path>          Ignore differences at this JSON path, such as results[].updatedAt. Repeat it for several paths.
  --concurrency <number>   Number of concurrent requests. Default: 4.
  --rate <number>          Maximum number of requests per second. Default: no limit.
  --timeout <seconds>      Timeout of each request. Default: 30.
  --report <file.html>     Write a report with examples of all differences.
  --help                   Show this help.

Tokens: platform, user, key and secret (passwords and codes) replace all pseudonyms of their kind. platform-2 replaces one of them.
old-platform and new-platform apply to one server. To hide tokens from other users of the machine, set variables such as
REPLAY_TOKEN_PLATFORM and REPLAY_TOKEN_OLD_PLATFORM_2 instead, or name files with tokens in variables such as REPLAY_TOKEN_PLATFORM_FILE.

Examples:
  REPLAY_TOKEN_PLATFORM=… courtside replay traffic.har --old http://localhost:4710 --new http://localhost:4711
  courtside replay traffic.har --old http://localhost:4710 --new http://localhost:4711 --only 'GET /v1/data/*' --report report.html

Exit codes: 0 if all responses are the same; 1 if some differ, if no request was sent, or if every status differs from the recording; 2 if arguments
are invalid, the recording cannot be read, the report cannot be written, or a server is unreachable at the start.`;

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
} as const;

/** Options of a replay. */
export interface ReplayOptions {
  /** Name of the HAR file. */
  readonly file: string;
  /** URLs of the servers. */
  readonly old: string;
  readonly new: string;
  /** Whether to send requests that may change data. */
  readonly includesWrites: boolean;
  /** Tokens, keyed by name in upper case, such as `PLATFORM`, `PLATFORM_2` or `OLD_PLATFORM`. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Whether `--only` selects a request. `names` are its route and path. */
  readonly isSelected: (...names: string[]) => boolean;
  /** JSON paths at which differences are ignored. */
  readonly ignoredPaths: readonly string[];
  readonly concurrency: number;
  /** Maximum number of requests per second. Null means no limit. */
  readonly maxRate: number | null;
  /** Timeout of a request, in milliseconds. */
  readonly timeoutMs: number;
  /** File name of the report. Null means that no report is written. */
  readonly report: string | null;
}

const tokenName = /^(?:(?:old|new)-)?(?:platform|user|key|secret)(?:-\d+)?$/i;
const variableName = (name: string) => name.toUpperCase().replaceAll('-', '_');

function numberOf(option: string, text: string, min: number, max: number): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`${option}: expected a number from ${min} to ${max}, but got ${text}.`);
}

/** Parses `name=token`. The error does not contain the token. */
function tokenOf(text: string): [name: string, token: string] {
  const [name, token] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
  if (tokenName.test(name) && token) return [variableName(name), token];
  throw new UsageError('--token: expected <name>=<token>, such as user=abc, where <name> is platform, user, key or secret.');
}

const patternOf = (text: string) => {
  const source = text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^(?:[A-Z]+ )?${source.replace(/^(?:GET|HEAD|POST|PUT|PATCH|DELETE) /, '(?:$&)')}$`);
};

/** Returns the tokens in variables such as `REPLAY_TOKEN_PLATFORM`, and in the files that `REPLAY_TOKEN_PLATFORM_FILE` names. */
function tokensIn(environment: Record<string, string | undefined>): [name: string, token: string][] {
  return Object.entries(environment).flatMap(([variable, value]): [string, string][] => {
    const [, name, suffix] = /^REPLAY_TOKEN_(\w+?)(_FILE)?$/.exec(variable) ?? [];
    if (name === undefined || !value) return [];
    if (!tokenName.test(name.replaceAll('_', '-')))
      throw new UsageError(
        `${variable}: expected a name such as REPLAY_TOKEN_PLATFORM, REPLAY_TOKEN_NEW_USER_2 or REPLAY_TOKEN_KEY_FILE.`,
      );
    if (suffix === undefined) return [[name, value]];
    if (environment[`REPLAY_TOKEN_${name}`]) throw new UsageError(bothSetProblem(`REPLAY_TOKEN_${name}`));
    const result = readSecretFile(variable, value);
    if ('problem' in result) throw new UsageError(result.problem);
    return [[name, result.value]];
  });
}

/** Parses the arguments and the tokens in the environment. Throws a `UsageError` if they are invalid. */
export function replayOptions(args: string[], environment: Record<string, string | undefined>): ReplayOptions {
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true });
  const [file, ...rest] = positionals;
  if (!file || rest.length > 0) throw new UsageError(`Expected exactly one HAR file, but got ${positionals.length}.`);
  const patterns = values.only.map(patternOf);
  return {
    file,
    old: serverUrl('--old', values.old),
    new: serverUrl('--new', values.new),
    includesWrites: values.writes,
    tokens: new Map([...tokensIn(environment), ...values.token.map(tokenOf)]),
    isSelected: (...names) => patterns.length === 0 || names.some((name) => patterns.some((pattern) => pattern.test(name))),
    ignoredPaths: values.ignore,
    concurrency: Math.floor(numberOf('--concurrency', values.concurrency, 1, 100)),
    maxRate: values.rate === undefined ? null : numberOf('--rate', values.rate, 0.01, 10_000),
    timeoutMs: numberOf('--timeout', values.timeout, 0.1, 600) * 1000,
    report: values.report ?? null,
  };
}
