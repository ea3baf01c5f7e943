import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** Thrown if the package of an engine is not installed. */
export class EngineNotInstalled extends Error {
  /** Command that installs the package. */
  readonly remedy = 'npm ci --prefix test/tools';
}

/** Loads a CommonJS package of `test/tools`. It has its own copies of its dependencies, such as `graphql`. */
export function loadTestTool(name: string): unknown {
  const require = createRequire(resolve('test/tools/package.json'));
  try {
    return require(name);
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND' ? new EngineNotInstalled(name) : error;
  }
}
