import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Command, startCommand } from './command-process.js';
import { scratchDirectory } from './service-process.js';

/** A recording proxy that runs as a separate process. */
export interface Recorder extends Command {
  origin: string;
  out: string;
  har(): string;
}

/** Starts a recording proxy in front of a server. */
export async function recorder(upstream: string, ...more: string[]): Promise<Recorder> {
  const out = join(await scratchDirectory(), 'traffic.har');
  const command = await startCommand('record', ['--upstream', upstream, '--out', out, '--port', '0', ...more]);
  await expect.poll(command.output).toContain('Press Ctrl-C to stop.');
  const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(command.output()) ?? [];
  return { ...command, origin, out, har: () => readFileSync(out, 'utf8') };
}

/** Returns the entries of a HAR file. */
export const entries = (har: string) => JSON.parse(har).log.entries;
