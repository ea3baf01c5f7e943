import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A GET, or a POST with a body. In the body, `$n` is one of 5,000 recurring numbers, and `$m` is unique within a measurement. */
export interface SentRequest {
  path: string;
  body?: string;
}

/** Requests that the load generator sends in turn. */
export interface Shot {
  origin: string;
  headers: Record<string, string>;
  requests: readonly SentRequest[];
}

/** Results of sending the requests for a period of time. */
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

/** Returns the script for wrk. It reads the requests from a file with two lines per request: the path, and the body or nothing. */
function luaOf({ headers }: Shot, requestFile: string): string {
  const headerEntries = Object.entries(headers).map(([name, value]) => `[ ${quoted(name)} ]=${quoted(value)}`);
  return `local headers, requests, n = {${headerEntries}}, {}, 0
    init = function()
      local lines = io.lines(${quoted(requestFile)})
      for path in lines do
        local body = lines()
        if body == "" then requests[#requests + 1] = { text = wrk.format("GET", path, headers) }
        elseif body:find("%$[nm]") then requests[#requests + 1] = { path = path, body = body }
        else requests[#requests + 1] = { text = wrk.format("POST", path, headers, body) } end
      end
    end
    request = function()
      n = n + 1
      local request = requests[n % #requests + 1]
      return request.text or wrk.format("POST", request.path, headers, (request.body:gsub("%$n", tostring(n % 5000)):gsub("%$m", tostring(n))))
    end
    done = function(all) io.write("requests=", all.requests, " micros=", all.duration, " bad=", all.errors.status + all.errors.connect + all.errors.read + all.errors.write + all.errors.timeout, "\\n") end`;
}

async function byWrk(shot: Shot, seconds: number): Promise<LoadResult> {
  const directory = mkdtempSync(join(tmpdir(), 'courtside-wrk-'));
  const [script, requestFile] = [join(directory, 'request.lua'), join(directory, 'requests')];
  writeFileSync(requestFile, shot.requests.map(({ path, body = '' }) => `${path}\n${body}\n`).join(''));
  writeFileSync(script, luaOf(shot, requestFile));
  const timed = `TIMEFORMAT='cpu=%U %S'; time wrk -t1 -c${connections} -d${seconds}s -s "$0" "$1"`;
  const { stdout, stderr } = await run('bash', ['-c', timed, script, shot.origin]).finally(() =>
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
  const directory = mkdtempSync(join(tmpdir(), 'courtside-client-'));
  const file = join(directory, 'load.json');
  writeFileSync(file, JSON.stringify({ shot, seconds, connections }));
  const { stdout } = await run(process.execPath, ['dist/unbundled/test/load/bench/lean-client.js', file]).finally(() =>
    rmSync(directory, { recursive: true }),
  );
  return JSON.parse(stdout);
}

/**
 * Load generator. `wrk` uses the least CPU time, so it is used if it is installed. autocannon uses so much CPU time that all ratios look
 * better than they are.
 */
export const generator = isInstalled('wrk') ? 'wrk' : 'lean client';
export const sendLoad = generator === 'wrk' ? byWrk : byLeanClient;
