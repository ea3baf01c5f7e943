import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';

/** Returns the fields of /proc/<pid>/stat after the program name. Null if the process or /proc does not exist. */
function stat(pid: number | string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? null;
  } catch {
    return null;
  }
}

/** Microseconds per clock tick. The kernel counts CPU time in hundredths of a second. */
const perTick = 10_000;

/** Returns the CPU time of a process and its running child processes, in µs. Null on systems without /proc. */
export function cpuTime(pid: number): number | null {
  if (!stat(pid)) return null;
  const family = readdirSync('/proc').filter((name) => name === String(pid) || stat(name)?.[1] === String(pid));
  return family.reduce((sum, name) => {
    const fields = stat(name);
    return sum + (Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0)) * perTick;
  }, 0);
}

/** Returns the process ID of the PostgreSQL server at a connection string. Its child processes are the backends. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return Number(stat(rows[0]?.pid ?? 0)?.[1] ?? 0);
  } finally {
    await client.end();
  }
}
