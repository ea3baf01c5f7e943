import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A request that the load generator repeats. In the body, `$n` is one of 5,000 recurring numbers, and `$m` is unique. */
export interface Shot {
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** Results of repeating a request for some time. */
export interface LoadResult {
  requests: number;
  seconds: number;
  failed: number;
  /** CPU time of the load generator, in µs. */
  cpu: number;
}

export const connections = 16;
const run = promisify(execFile);

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Returns a Lua string literal. */
const quoted = (text: string) => `[==[${text}]==]`;

function luaOf({ headers, body }: Shot): string {
  const table = Object.entries(headers).map(([name, value]) => `[ ${quoted(name)} ]=${quoted(value)}`);
  const request =
    body === undefined
      ? 'request = function() return wrk.format("GET", nil, headers) end'
      : `local body, n = ${quoted(body)}, 0
    request = function() n = n + 1; return wrk.format("POST", nil, headers, (body:gsub("%$n", tostring(n % 5000)):gsub("%$m", tostring(n)))) end`;
  return `local headers = {${table}}\n${request}\n
    done = function(all) io.write("requests=", all.requests, " micros=", all.duration, " bad=", all.errors.status + all.errors.connect + all.errors.read + all.errors.write + all.errors.timeout, "\\n") end`;
}

async function byWrk(shot: Shot, seconds: number): Promise<LoadResult> {
  const directory = mkdtempSync(join(tmpdir(), 'courtside-wrk-'));
  const script = join(directory, 'request.lua');
  writeFileSync(script, luaOf(shot));
  const timed = `TIMEFORMAT='cpu=%U %S'; time wrk -t1 -c${connections} -d${seconds}s -s "$0" "$1"`;
  const { stdout, stderr } = await run('bash', ['-c', timed, script, shot.url]).finally(() =>
    rmSync(directory, { recursive: true }),
  );
  const [, requests, micros, bad] = /requests=(\d+) micros=(\d+) bad=(\d+)/.exec(stdout) ?? [];
  const [, user, system] = /cpu=([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
  return {
    requests: Number(requests),
    seconds: Number(micros) / 1e6,
    failed: Number(bad),
    cpu: (Number(user) + Number(system)) * 1e6,
  };
}

/** Runs the client of `lean-client.ts` in a separate process. */
async function byLeanClient(shot: Shot, seconds: number): Promise<LoadResult> {
  const { stdout } = await run(process.execPath, [
    'dist/unbundled/test/load/bench/lean-client.js',
    JSON.stringify({ shot, seconds, connections }),
  ]);
  return JSON.parse(stdout);
}

/**
 * Load generator: `wrk` if it is installed, because it uses the least CPU time. autocannon uses so much CPU time that all ratios look
 * better than they are.
 */
export const generator = isInstalled('wrk') ? 'wrk' : 'lean client';
export const sendLoad = generator === 'wrk' ? byWrk : byLeanClient;
