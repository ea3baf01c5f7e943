import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface InstalledPackage {
  /** Path such as `node_modules/graphql`. */
  readonly path: string;
  /** Whether only development needs the package. */
  readonly isDev: boolean;
}

/** Packages of package-lock.json that are installed. Optional packages for other platforms are not installed. */
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

/**
 * Returns the disk usage of each installed package in bytes, keyed by path. Packages nested inside a package have their own entries. Like `du`,
 * counts a hard-linked file once: the package `node` and its platform package share the executable.
 */
export function diskUsages(paths: readonly string[]): Map<string, number> {
  const packagePaths = new Set(paths);
  const countedFiles = new Set<number>();
  const ownUsageOf = (path: string): number => {
    const { ino, blocks } = lstatSync(path);
    if (countedFiles.has(ino)) return 0;
    countedFiles.add(ino);
    return blocks * 512;
  };
  const usageOf = (directory: string): number =>
    readdirSync(directory, { withFileTypes: true })
      .map((entry) => ({ path: join(directory, entry.name), isDirectory: entry.isDirectory() }))
      .filter(({ path }) => !packagePaths.has(path))
      .reduce((total, { path, isDirectory }) => total + (isDirectory ? usageOf(path) : ownUsageOf(path)), ownUsageOf(directory));
  return new Map(paths.map((path) => [path, usageOf(path)]));
}
