import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import { built } from '../support/servers/service-process.js';

beforeAll(built, 60_000);

const builtin = new Set(builtinModules);

/** Drivers that `rate-limiter-flexible` loads only when it stores limits in another database. */
const optionalDrivers = new Set(['@valkey/valkey-glide']);

/** Returns the packages that a file of the bundle imports, statically or dynamically. */
function packagesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/^(?:import|export)\b[^'"`;]*?["']([^'"]+)["'];?$|\bimport\(["']([^'"]+)["']\)/gm);
  return [...imports].flatMap(([, staticImport, dynamicImport]) => {
    const name = staticImport ?? dynamicImport ?? '';
    if (/^[./]|^node:/.test(name) || builtin.has(name)) return [];
    return [
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    ];
  });
}

test('the production bundle imports production dependencies only', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const parts = readdirSync('dist/parts').filter((name) => name.endsWith('.js'));
  const imported = new Set(['dist/src/main.js', ...parts.map((name) => `dist/parts/${name}`)].flatMap(packagesOf));
  expect(parts.length).toBeGreaterThan(10);
  expect([...imported].filter((name) => !(name in dependencies || optionalDrivers.has(name)))).toEqual([]);
  expect(imported).toContain('@node-rs/argon2');
});
