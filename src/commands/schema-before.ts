import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

/** What git says in a folder; null where there is no git, no repository, or nothing of that name. */
async function git(folder: string, ...args: string[]): Promise<string | null> {
  const said = await run('git', args, { cwd: folder, maxBuffer: 2 ** 26 }).catch(() => null);
  return said?.stdout ?? null;
}

/** The commit that clients know: where the branch left the main one, or on that the one before. */
async function commitBefore(folder: string): Promise<string> {
  const base = await git(folder, 'merge-base', 'HEAD', 'origin/main');
  return base === null || base === (await git(folder, 'rev-parse', 'HEAD')) ? 'HEAD~' : base.trim();
}

const manifest = z.object({ version: z.string() });

/** Whether clients rely on the graph: from the first major version on. */
export async function isReleased(folder: string): Promise<boolean> {
  const { version } = manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  return !version.startsWith('0.');
}

/**
 * The schema that a change may not break: once the service is released that of the commit that clients know, whatever was committed
 * since; before, and without git, the one in the folder. Null where there is none yet.
 */
export async function schemaBefore(folder: string): Promise<string | null> {
  const path = 'schema/schema.graphql';
  const known = (await isReleased(folder)) ? await git(folder, 'show', `${await commitBefore(folder)}:./${path}`) : null;
  return known ?? readFile(join(folder, path), 'utf8').catch(() => null);
}
