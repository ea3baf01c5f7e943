import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';

/** The fields of /proc/<pid>/stat behind the name of the program; null when there is no such process, or no /proc. */
function stat(pid: number | string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? null;
  } catch {
    return null;
  }
}

/** The kernel counts in hundredths of a second. */
const perTick = 10_000;

/** Processor time in µs that a process and its living children have taken so far; null on systems without /proc. */
export function cpuTime(pid: number): number | null {
  if (!stat(pid)) return null;
  const family = readdirSync('/proc').filter((name) => name === String(pid) || stat(name)?.[1] === String(pid));
  return family.reduce((sum, name) => {
    const fields = stat(name);
    return sum + (Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0)) * perTick;
  }, 0);
}

/** The process of the PostgreSQL server behind a connection string, whose children are its backends. */
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
