import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

/** Runs git in a folder and returns its output, or null if git fails, for example because the folder is not in a repository. */
async function git(folder: string, ...args: string[]): Promise<string | null> {
  const result = await run('git', args, { cwd: folder, maxBuffer: 2 ** 26 }).catch(() => null);
  return result?.stdout ?? null;
}

/**
 * Returns the commit that contains the previous schema: the merge base with `origin/main`. If that branch already contains `HEAD`,
 * or if there is no merge base, returns the parent commit.
 */
async function previousCommit(folder: string): Promise<string> {
  const base = await git(folder, 'merge-base', 'HEAD', 'origin/main');
  return base === null || base === (await git(folder, 'rev-parse', 'HEAD')) ? 'HEAD~' : base.trim();
}

const manifest = z.object({ version: z.string() });

/** Whether the version is 1.0.0 or later. From then on, breaking changes are forbidden. */
export async function isStableRelease(folder: string): Promise<boolean> {
  const { version } = manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  return !version.startsWith('0.');
}

/**
 * Returns the schema that a change must not break. From version 1.0.0, it is the schema of the previous commit. Before 1.0.0, or if git
 * fails, it is the schema in the folder. Returns null if there is no schema.
 */
export async function schemaBefore(folder: string): Promise<string | null> {
  const path = 'schema/schema.graphql';
  const committedSdl = (await isStableRelease(folder))
    ? await git(folder, 'show', `${await previousCommit(folder)}:./${path}`)
    : null;
  return committedSdl ?? readFile(join(folder, path), 'utf8').catch(() => null);
}
