import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Returns the names of the packages in the bundles of a build, from their source maps. */
function bundledPackages(directory: string): Set<string> {
  const maps = globSync(['dist/src/**/*.map', 'dist/parts/*.map'], { cwd: directory });
  const sources = maps.flatMap((path): string[] => readJson(join(directory, path)).sources);
  return new Set(sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []));
}

/** Returns a manifest that depends on the packages that the artifact needs or contains. */
function shippedManifest(manifest: Manifest, bundled: ReadonlySet<string>): Manifest {
  const { devDependencies = {}, ...others } = manifest;
  const bundledDependencies = Object.entries(devDependencies).filter(([name]) => bundled.has(name));
  return { ...others, dependencies: { ...manifest.dependencies, ...Object.fromEntries(bundledDependencies) } };
}

/**
 * Returns the software bill of materials of a build, in the CycloneDX format: the packages that it needs or contains. `seconds` is the time
 * of the commit. The same build always gets the same document: the serial number is derived from its content.
 */
export function sbomOf(directory: string, seconds: number): string {
  const scratch = mkdtempSync(join(tmpdir(), 'courtside-sbom-'));
  try {
    const manifest: Manifest = readJson(join(directory, 'package.json'));
    copyFileSync(join(directory, 'package-lock.json'), join(scratch, 'package-lock.json'));
    writeFileSync(join(scratch, 'package.json'), JSON.stringify(shippedManifest(manifest, bundledPackages(directory))));
    const npm = (...args: string[]) => execFileSync('npm', args, { cwd: scratch, encoding: 'utf8', maxBuffer: 2 ** 26 });
    // Removes the packages from the lockfile that only development needs. `npm sbom --omit=dev` would also omit other packages.
    npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund');
    const document = JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'));
    document.metadata.timestamp = new Date(seconds * 1000).toISOString();
    // npm uses the name of the directory.
    document.metadata.component.name = manifest.name;
    document.serialNumber = '';
    const hex = createHash('sha256').update(JSON.stringify(document)).digest('hex');
    // A version 8 UUID, because its value is application-defined.
    const uuid = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
      '-',
    );
    document.serialNumber = `urn:uuid:${uuid}`;
    return `${JSON.stringify(document, null, 2)}\n`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
