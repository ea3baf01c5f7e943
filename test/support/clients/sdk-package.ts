import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { oncePerRun } from '../servers/once-per-run.js';
import { buildService } from '../servers/service-process.js';

/** Builds the SDK once per run. */
export const builtSdk = (): Promise<void> =>
  oncePerRun('sdk', async () => {
    await buildService();
    execFileSync(process.execPath, ['dist/development/run.js', 'sdk'], { stdio: ['ignore', 'ignore', 'inherit'] });
  });

/** Installs the SDK in a directory from the archive that would be published, as npm does. */
export async function installSdk(directory: string): Promise<void> {
  await builtSdk();
  const target = join(directory, 'node_modules/courtside-sdk');
  mkdirSync(target, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', directory], { cwd: 'dist/sdk' });
  const archive = (await readdir(directory)).find((name) => name.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['-xzf', join(directory, archive), '-C', target, '--strip-components=1']);
}

/** Links installed packages, given by their paths, into a directory, so that its programs can import them. */
export function linkPackages(directory: string, paths: readonly string[]): void {
  for (const path of paths) {
    const link = join(directory, path.slice(path.lastIndexOf('node_modules/')));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve(path), link);
  }
}

/**
 * Returns the TypeScript errors in a file under strict compiler options. By default, also checks the declarations of the imported packages.
 */
export function typeErrorsIn(
  directory: string,
  file: string,
  { dom, skipLibCheck = false }: { dom: boolean; skipLibCheck?: boolean },
): string {
  const options = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck,
    noEmit: true,
    target: 'ES2022',
    module: dom ? 'esnext' : 'nodenext',
    moduleResolution: dom ? 'bundler' : 'nodenext',
    lib: dom ? ['ES2024', 'DOM', 'DOM.Iterable'] : ['ES2024'],
    types: dom ? [] : ['node'],
    typeRoots: [resolve('node_modules/@types')],
  };
  const config = join(directory, `tsconfig.${file}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: options, include: [file] }));
  try {
    return execFileSync('node_modules/.bin/tsc', ['-p', config], { encoding: 'utf8' });
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
}
