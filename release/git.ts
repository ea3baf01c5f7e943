import { execFileSync } from 'node:child_process';
import { StartProblem } from '../src/process/start-problem.ts';

/** Runs git in a directory and returns its output. */
export const git = (directory: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();

/** Throws a StartProblem if the working directory contains changes that are not committed. */
export function checkClean(directory: string): void {
  const changes = git(directory, 'status', '--porcelain');
  if (changes) throw new StartProblem('The working directory has uncommitted changes: commit or remove them.', changes);
}

/** Throws a StartProblem if a release of this version cannot be made from the working directory. */
export function checkRepository(directory: string, version: string): void {
  checkClean(directory);
  const branch = git(directory, 'rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') throw new StartProblem(`Releases are made on the branch main, not on ${branch}: run "git switch main".`);
  if (git(directory, 'tag', '--list', `v${version}`))
    throw new StartProblem(`The tag v${version} already exists: use a newer version.`);
}

/** Returns the time of a commit, in seconds since 1970. */
export const timeOf = (directory: string, commit: string): number =>
  Number(git(directory, 'show', '--no-patch', '--format=%ct', commit));
