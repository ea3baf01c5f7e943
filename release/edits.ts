import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartProblem } from '../src/process/start-problem.ts';
import { changelogWith } from './changelog.ts';

const releasesPath = 'test/release/releases.json';

/** Returns the version in package.json. */
export const currentVersion = (directory: string): string =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).version;

/** Throws a StartProblem if this version cannot be released. */
export function checkVersion(version: string, current: string): void {
  if (!/^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/.test(version))
    throw new StartProblem(`Invalid version ${JSON.stringify(version)}: expected three numbers, such as 0.2.0.`);
  if (version.localeCompare(current, 'en', { numeric: true }) <= 0)
    throw new StartProblem(`Invalid version ${version}: expected a version after ${current}.`);
}

/** Sets the version in the files of a directory, and moves the unreleased changes to it. `date` is an ISO date. */
export function setVersion(directory: string, version: string, date: string): void {
  const current = currentVersion(directory);
  const edit = (path: string, change: (text: string) => string) => {
    const file = join(directory, path);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };
  edit('CHANGELOG.md', (text) => changelogWith(text, version, date));
  edit('README.md', (text) => text.replace(`Version ${current}.`, `Version ${version}.`));
  for (const path of ['docs/operating.md', 'docs/deploy/runbooks.md'])
    edit(path, (text) => text.replaceAll(`courtside-${current}.tgz`, `courtside-${version}.tgz`));
  edit('docs/deploy/kubernetes/kustomization.yaml', (text) => text.replace(`newTag: ${current}\n`, `newTag: ${version}\n`));
  execFileSync('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts', '--silent'], {
    cwd: directory,
    stdio: 'ignore',
  });
}

/** Adds a release, with the hash of its schema, to the list of releases. Its dump must exist. */
export function addRelease(directory: string, version: string): void {
  const releases = JSON.parse(readFileSync(join(directory, releasesPath), 'utf8'));
  const schemaSha256 = createHash('sha256')
    .update(readFileSync(join(directory, 'schema/schema.graphql')))
    .digest('hex');
  writeFileSync(join(directory, releasesPath), `${JSON.stringify([...releases, { version, schemaSha256 }], null, 2)}\n`);
}
