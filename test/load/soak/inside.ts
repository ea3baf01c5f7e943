import { readdirSync, renameSync, writeFileSync } from 'node:fs';

// Runs in the process of the service, before it: tells each second what the process holds, in the file that is named.

/** What a process holds. */
export interface Held {
  /** When that was, in milliseconds of the clock. */
  at: number;
  /** Megabytes. */
  resident: number;
  /** What keeps or could keep the process alive, by kind: sockets, servers, timers. */
  handles: Record<string, number>;
  /** Listeners of the process itself. */
  listeners: number;
  /** Open files and sockets; 0 on systems that don't tell. */
  files: number;
  /** Warnings of Node, such as of too many listeners. */
  warnings: string[];
}

const { SOAK_FIGURES } = process.env;
const warnings: string[] = [];

function held(): Held {
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  let files = 0;
  try {
    files = readdirSync('/proc/self/fd').length;
  } catch {
    // Another system.
  }
  return { at: Date.now(), resident: process.memoryUsage.rss() / 2 ** 20, handles, listeners, files, warnings };
}

if (SOAK_FIGURES) {
  process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));
  const tell = () => {
    // In one piece: somebody may be reading.
    writeFileSync(`${SOAK_FIGURES}.new`, JSON.stringify(held()));
    renameSync(`${SOAK_FIGURES}.new`, SOAK_FIGURES);
  };
  setInterval(tell, 1_000).unref();
}
