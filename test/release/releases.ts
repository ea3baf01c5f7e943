import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Missing } from '../support/prerequisites.js';
import list from './releases.json' with { type: 'json' };

const run = promisify(execFile);

/** A published release. */
interface Release {
  readonly version: string;
  /** Commit of the release, for clones without tags. */
  readonly commit?: string;
}

/** All releases, oldest first. */
export const releases: readonly Release[] = list;

export const previousRelease = releases.at(-1) as Release;

function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || null;
  } catch {
    return null;
  }
}

/** Returns the commit of a release. Null if this clone does not contain it. */
function commitOf({ version, commit }: Release): string | null {
  const subject = `^chore(release): ${version.replaceAll('.', '\\.')}$`;
  return (
    git('rev-parse', '--verify', '--quiet', `v${version}^{commit}`) ??
    (commit === undefined ? null : git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`)) ??
    git('log', '-1', '--format=%H', `--grep=${subject}`)
  );
}

/** Returns the reason for skipping a test that runs a release. Null if this clone contains the release. */
export const missingRelease = (release: Release): Missing | null =>
  commitOf(release) === null
    ? { reason: `needs the commit of release ${release.version}: run "git fetch --unshallow --tags"`, isInstallable: true }
    : null;

export const missingPreviousRelease = missingRelease(previousRelease);

/** Builds a release in a new directory, with the packages of its lockfile. */
export async function buildRelease(release: Release, directory: string): Promise<void> {
  const commit = commitOf(release);
  if (commit === null) throw new Error(`this clone does not contain release ${release.version}`);
  await mkdir(directory, { recursive: true });
  const archive = join(directory, 'release.tar');
  await run('git', ['archive', '--output', archive, commit]);
  await run('tar', ['-xf', archive, '-C', directory]);
  await rm(archive);
  await symlink(await packagesFor(directory), join(directory, 'node_modules'));
  await run(process.execPath, ['build.ts'], { cwd: directory });
}

/** Returns the `node_modules` of a release. Installs them once per machine, unless the release has the same lockfile as this clone. */
async function packagesFor(directory: string): Promise<string> {
  const lockfile = readFileSync(join(directory, 'package-lock.json'));
  if (lockfile.equals(readFileSync('package-lock.json'))) return resolve('node_modules');
  const name = createHash('sha256').update(lockfile).digest('hex').slice(0, 16);
  const installed = join(tmpdir(), `courtside-packages-${name}`);
  if (!existsSync(installed)) {
    const partial = await mkdtemp(`${installed}.`);
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      if (existsSync(join(directory, file))) await cp(join(directory, file), join(partial, file));
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: partial });
    // The rename fails if another process was faster.
    await rename(partial, installed).catch(() => rm(partial, { recursive: true, force: true }));
  }
  return join(installed, 'node_modules');
}
