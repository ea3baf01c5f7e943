import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface InstalledPackage {
  /** Path such as `node_modules/graphql`. */
  readonly path: string;
  /** Whether only development needs the package. */
  readonly isDev: boolean;
}

/** Packages of package-lock.json that are installed. Optional packages for other platforms are not. */
export function installedPackages(): InstalledPackage[] {
  const { packages }: { packages: Record<string, { readonly dev?: boolean }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  );
  return Object.entries(packages).flatMap(([path, { dev = false }]) =>
    path !== '' && isReadable(path) ? [{ path, isDev: dev }] : [],
  );
}

const isReadable = (path: string): boolean => {
  try {
    return readdirSync(path).length > 0;
  } catch {
    return false;
  }
};

/** Returns the disk usage of a directory in bytes, as `du` counts it, without the given directories inside it. */
export function diskUsageOf(directory: string, without: ReadonlySet<string>): number {
  return readdirSync(directory, { withFileTypes: true })
    .map((entry) => ({ path: join(directory, entry.name), isDirectory: entry.isDirectory() }))
    .filter(({ path }) => !without.has(path))
    .reduce(
      (total, { path, isDirectory }) => total + (isDirectory ? diskUsageOf(path, without) : blockBytesOf(path)),
      blockBytesOf(directory),
    );
}

const blockBytesOf = (path: string): number => lstatSync(path).blocks * 512;
