import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sbomOf } from './sbom.ts';

/** Folder of the artifacts, in the root folder. Git ignores it. */
export const artifactsFolder = 'dist-release';

/**
 * Builds the artifacts of the commit in a directory: the npm package, the SBOM, the schema, and the SHA-256 of each. Two runs on the same
 * commit, with the same versions of Node and npm, write identical files. `seconds` is the time of the commit. Returns the file names.
 */
export function writeArtifacts(directory: string, version: string, seconds: number): string[] {
  const target = resolve(directory, artifactsFolder);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) };
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  // Starts from an empty directory, because the build skips unchanged files, and other commands add files.
  rmSync(join(directory, 'dist'), { recursive: true, force: true });
  execFileSync('npm', ['run', '-s', 'build'], { cwd: directory, env, stdio: ['ignore', 'ignore', 'inherit'] });
  // The permissions of files in a clone depend on the user. npm makes the executable of the package executable.
  for (const path of packedFiles(directory)) chmodSync(join(directory, path), 0o644);
  // npm sets the times of all files in the package to the same constant.
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', target], {
    cwd: directory,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(join(target, `courtside-${version}.cdx.json`), sbomOf(directory, seconds));
  copyFileSync(join(directory, 'schema/schema.graphql'), join(target, 'schema.graphql'));
  const names = readdirSync(target).sort();
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(target, name)))
      .digest('hex');
  writeFileSync(join(target, 'SHA256SUMS'), names.map((name) => `${hashOf(name)}  ${name}\n`).join(''));
  return [...names, 'SHA256SUMS'];
}

/** Returns the paths of the files that the npm package contains. */
function packedFiles(directory: string): string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const [pack]: { files: { path: string }[] }[] = JSON.parse(output);
  return pack?.files.map(({ path }) => path) ?? [];
}

/** Returns the shell command that builds the image of a commit. */
export const imageCommand = (commit: string, version: string, seconds: number): string =>
  `git archive ${commit} | docker build --build-arg SOURCE_DATE_EPOCH=${seconds} --tag courtside:${version} -`;

/** Whether Docker can build images on this machine. */
export function hasDocker(): boolean {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
