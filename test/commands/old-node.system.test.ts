import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { nodeProblem } from '../../src/process/node-version.js';
import { type Missing, requires } from '../support/prerequisites.js';
import { buildService } from '../support/servers/service-process.js';

/** Returns the version of a Node.js program. Empty if the program does not exist. */
const versionOf = (path: string): string => spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1) ?? '';

/** Path of an installed Node.js that is too old for the service. */
const oldNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((directory) => join(directory, 'node'))
  .find((path) => versionOf(path) !== '' && nodeProblem(versionOf(path)) !== null);
const oldNodeVersion = oldNode ? versionOf(oldNode) : '';
const missing: Missing | null = oldNode ? null : { reason: 'needs a Node.js older than 22.17 in PATH', isInstallable: false };

beforeAll(buildService, 60_000);

// Node.js 18 cannot load Vitest, and Vitest then prints its own error. npx and npm scripts use the Node.js in node_modules.
const canLoadVitest = Number(oldNodeVersion.split('.')[0]) >= 20;
const entryPoints = [
  'build.js',
  'release/index.js',
  ...['src/main.js', 'src/commands/run.js', 'development/run.js'].map((name) => `dist/${name}`),
];

test.each([...entryPoints, ...(canLoadVitest ? ['node_modules/vitest/vitest.mjs'] : [])])(
  '%s prints a one-line error in an old Node.js',
  requires(missing),
  (file) => {
    const { status, stderr } = spawnSync(oldNode ?? '', [file], { encoding: 'utf8' });
    const lines = stderr.trim().split('\n');
    expect({ status, lines }).toEqual({ status: 1, lines: [expect.stringContaining(`Node.js ${oldNodeVersion} is too old `)] });
  },
);
