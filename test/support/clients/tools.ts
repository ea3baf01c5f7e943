import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { Missing } from '../prerequisites.js';

/** Directory of large packages that only some tests need. They are not part of `npm ci`. */
const directory = resolve('test/tools');

/** Returns the path of a file in a package of `test/tools`. */
export const toolPath = (name: string, file: string): string => join(directory, 'node_modules', name, file);

/** Returns the reason for skipping a test that needs a package of `test/tools`, or null if the package is installed. */
export const missingTool = (name: string): Missing | null =>
  existsSync(toolPath(name, 'package.json'))
    ? null
    : { reason: `needs ${name}: run "npm ci --prefix test/tools"`, isInstallable: true };

/** Imports a package of `test/tools`. */
export const importTool = (name: string): Promise<unknown> =>
  import(createRequire(join(directory, 'package.json')).resolve(name));
