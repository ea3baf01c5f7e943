import { readdirSync, renameSync, writeFileSync } from 'node:fs';

// Preloaded into the service process. Writes its resource usage to the file in SOAK_USAGE_FILE every second.

/** Resource usage of the process. */
export interface ResourceUsage {
  /** Time of the sample, in milliseconds since the Unix epoch. */
  time: number;
  /** Resident memory, in megabytes. */
  resident: number;
  /** Number of active resources, such as sockets, servers and timers, keyed by type. */
  handles: Record<string, number>;
  /** Number of listeners on the `process` object. */
  listeners: number;
  /** Number of open files and sockets. The number is 0 on systems that do not report it. */
  files: number;
  /** Node.js warnings, such as warnings about too many listeners. */
  warnings: string[];
}

const { SOAK_USAGE_FILE } = process.env;
const warnings: string[] = [];

function currentUsage(): ResourceUsage {
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  let files = 0;
  try {
    files = readdirSync('/proc/self/fd').length;
  } catch {
    // Systems other than Linux have no /proc.
  }
  return { time: Date.now(), resident: process.memoryUsage.rss() / 2 ** 20, handles, listeners, files, warnings };
}

if (SOAK_USAGE_FILE) {
  process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));
  const writeSample = () => {
    // Written atomically, because the file may be read at the same time.
    writeFileSync(`${SOAK_USAGE_FILE}.new`, JSON.stringify(currentUsage()));
    renameSync(`${SOAK_USAGE_FILE}.new`, SOAK_USAGE_FILE);
  };
  setInterval(writeSample, 1_000).unref();
}
