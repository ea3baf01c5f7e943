import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** The parts of a CycloneDX document that this file reads. A reference is the name and version of a package, such as `graphql@16.15.0`. */
interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string; 'bom-ref': string } };
  components: { 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const nameOf = (reference: string): string => reference.replace(/@[^@]+$/, '');

/**
 * Returns a manifest that depends on the packages that the artifact needs or contains. Some bundled packages are optional for the packages
 * that import them. Packages in nested folders are dependencies of the others.
 */
function shippedManifest(manifest: Manifest, { packages }: Lockfile, bundled: readonly string[]): Manifest {
  const { devDependencies = {}, ...others } = manifest;
  const ranges: Readonly<Record<string, string>> = { ...manifest.overrides, ...devDependencies };
  const dependencies = bundled
    .map((reference) => ({ reference, name: nameOf(reference) }))
    .filter(({ reference, name }) => reference === `${name}@${packages[`node_modules/${name}`]?.version}`)
    .map(({ reference, name }) => [name, ranges[name] ?? reference.slice(name.length + 1)]);
  return { ...others, dependencies: { ...manifest.dependencies, ...Object.fromEntries(dependencies) } };
}

/** Returns the references of the packages that an installation of the artifact adds. */
function installedPackages({ metadata, dependencies }: Sbom, { dependencies: required = {} }: Manifest): Set<string> {
  const dependenciesOf = (reference: string) => dependencies.find(({ ref }) => ref === reference)?.dependsOn ?? [];
  const installed = new Set(
    dependenciesOf(metadata.component['bom-ref']).filter((reference) => Object.keys(required).includes(nameOf(reference))),
  );
  for (const reference of installed) for (const dependency of dependenciesOf(reference)) installed.add(dependency);
  return installed;
}

/** Removes the packages that only bundled packages depend on, unless they are bundled themselves. */
function removeOtherPackages(document: Sbom, shipped: ReadonlySet<string>): void {
  const root = document.metadata.component['bom-ref'];
  document.components = document.components.filter((component) => shipped.has(component['bom-ref']));
  document.dependencies = document.dependencies
    .filter(({ ref }) => ref === root || shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((dependency) => shipped.has(dependency)) }));
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
    const lockfile: Lockfile = readJson(join(directory, 'package-lock.json'));
    const bundled: string[] = readJson(join(directory, 'dist/development/packages.json'));
    writeFileSync(join(scratch, 'package.json'), JSON.stringify(shippedManifest(manifest, lockfile, bundled)));
    const npm = (...args: string[]) => execFileSync('npm', args, { cwd: scratch, encoding: 'utf8', maxBuffer: 2 ** 26 });
    // Removes development-only packages from the lockfile. `npm sbom --omit=dev` would also omit other packages.
    npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund');
    const document: Sbom = JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'));
    removeOtherPackages(document, new Set([...bundled, ...installedPackages(document, manifest)]));
    document.metadata.timestamp = new Date(seconds * 1000).toISOString();
    // npm uses the name of the scratch directory instead of the package name.
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
