import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadConfig, variables } from '../../../src/config/index.js';
import { missingPrograms, requires } from '../../support/prerequisites.js';
import { scratchDirectory } from '../../support/servers/service-process.js';

const run = promisify(execFile);
const folder = 'docs/deploy/systemd';
const units = ['courtside.service', 'courtside-migrate.service'];

/** Returns the values of each setting of a unit. Settings such as `Environment` can occur several times. */
async function settingsOf(unit: string): Promise<Map<string, string[]>> {
  const lines = (await readFile(join(folder, unit), 'utf8')).split('\n');
  const settings = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, value }];
  });
  return new Map([...Map.groupBy(settings, ({ name }) => name)].map(([name, group]) => [name, group.map(({ value }) => value)]));
}

/** Copies the units to a directory, with a program that exists. `change` edits the first unit. */
async function installedUnits(change: (unit: string) => string = (unit) => unit): Promise<string[]> {
  const directory = join(await scratchDirectory(), 'units');
  await mkdir(directory);
  return Promise.all(
    units.map(async (name, index) => {
      const path = join(directory, name);
      const unit = (await readFile(join(folder, name), 'utf8')).replace(
        '/opt/courtside/node_modules/.bin/courtside',
        '/bin/true',
      );
      await writeFile(path, index === 0 ? change(unit) : unit);
      return path;
    }),
  );
}

const verify = async (paths: string[]): Promise<string> => {
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...paths]).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return (stdout + stderr).trim();
};

describe('systemd', requires(missingPrograms('systemd')), () => {
  test('accepts the units, and reports an unknown setting', async () => {
    expect({
      units: await verify(await installedUnits()),
      misspelled: await verify(await installedUnits((unit) => unit.replace('KillMode=', 'KilMode='))),
    }).toEqual({ units: '', misspelled: expect.stringContaining('KilMode') });
  });

  test('rates the exposure of the service as low', async () => {
    const [path = ''] = await installedUnits();
    const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', '--threshold=30', path]);
    expect(stdout).toMatch(/Overall exposure level for courtside\.service: [12]\.\d OK/);
  });
});

test('the unit stops the service only after it has drained and finished its requests', async () => {
  const settings = await settingsOf('courtside.service');
  const [, drainDelay] = /^DRAIN_DELAY=(\d+)$/m.exec(await readFile(join(folder, 'courtside.env'), 'utf8')) ?? [];
  expect(Number(settings.get('TimeoutStopSec')?.[0])).toBeGreaterThanOrEqual(Number(drainDelay) + 30);
});

test('the service accepts the settings, and reads its secrets from credentials', async () => {
  const lines = (await readFile(join(folder, 'courtside.env'), 'utf8')).split('\n').filter((line) => /^\w/.test(line));
  const environment = Object.fromEntries(
    lines.map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1).replaceAll('"', '')]),
  );
  const settings = await settingsOf('courtside.service');
  const credentials = (settings.get('LoadCredential') ?? []).map((value) => value.split(':')[0]);
  const assigned = (settings.get('Environment') ?? []).map((value) => value.split('='));
  const files = assigned.flatMap(([name = '', value]) => (name.endsWith('_FILE') ? [[name, value]] : []));
  const secretFiles = variables.flatMap(({ name, isSecret }) => (isSecret ? [`${name}_FILE`] : []));
  expect({
    config: loadConfig({ ...environment, NODE_ENV: 'production', DATABASE_URL: 'postgresql://u:p@db/courtside' }),
    files: files.map(([, value]) => value),
    unknown: files.map(([name]) => name).filter((name) => !secretFiles.includes(name ?? '')),
    plain: lines.filter((line) => variables.some(({ name, isSecret }) => isSecret && line.startsWith(`${name}=`))),
  }).toEqual({
    config: expect.objectContaining({ migrate: false, drainDelay: 5, trustProxy: 1 }),
    files: credentials.map((name) => `%d/${name}`),
    unknown: [],
    plain: [],
  });
});
