import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import { built } from '../support/service.js';

beforeAll(built, 60_000);

const builtin = new Set(builtinModules);

/** Drivers of other databases, which `rate-limiter-flexible` loads for those who limit there. */
const others = new Set(['@valkey/valkey-glide']);

/** Packages that a file of the bundle imports, at once or later. */
function packagesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const named = text.matchAll(/^(?:import|export)\b[^'"`;]*?["']([^'"]+)["'];?$|\bimport\(["']([^'"]+)["']\)/gm);
  return [...named].flatMap(([, first, second]) => {
    const name = first ?? second ?? '';
    if (/^[./]|^node:/.test(name) || builtin.has(name)) return [];
    return [
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    ];
  });
}

test('what runs in production imports no package but those of a production install', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const parts = readdirSync('dist/parts').filter((name) => name.endsWith('.js'));
  const imported = new Set(['dist/src/main.js', ...parts.map((name) => `dist/parts/${name}`)].flatMap(packagesOf));
  expect(parts.length).toBeGreaterThan(10);
  expect([...imported].filter((name) => !(name in dependencies || others.has(name)))).toEqual([]);
  expect(imported).toContain('@node-rs/argon2');
});
