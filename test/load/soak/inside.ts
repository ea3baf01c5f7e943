import { readdirSync, renameSync, writeFileSync } from 'node:fs';

// Preloaded into the service process. Writes its resource usage to the named file every second.

/** Resources of the process. */
export interface ResourceUsage {
  /** Time of the sample, in milliseconds since 1970. */
  time: number;
  /** Megabytes. */
  resident: number;
  /** Handles by kind: sockets, servers, timers. */
  handles: Record<string, number>;
  /** Listeners of the process object. */
  listeners: number;
  /** Open files and sockets. 0 on systems that do not report them. */
  files: number;
  /** Node.js warnings, such as about too many listeners. */
  warnings: string[];
}

const { SOAK_FIGURES } = process.env;
const warnings: string[] = [];

function currentUsage(): ResourceUsage {
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  let files = 0;
  try {
    files = readdirSync('/proc/self/fd').length;
  } catch {
    // Not Linux.
  }
  return { time: Date.now(), resident: process.memoryUsage.rss() / 2 ** 20, handles, listeners, files, warnings };
}

if (SOAK_FIGURES) {
  process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));
  const writeSample = () => {
    // Written atomically, because the file may be read at the same time.
    writeFileSync(`${SOAK_FIGURES}.new`, JSON.stringify(currentUsage()));
    renameSync(`${SOAK_FIGURES}.new`, SOAK_FIGURES);
  };
  setInterval(writeSample, 1_000).unref();
}
