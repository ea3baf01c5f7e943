import { TestRunner } from 'vitest';

/**
 * Imports the manifest of all modules before each test file, as the service does: decorators need `reflect-metadata`, and records refer to each
 * other by name. A setup file would do the same, but then a change to any source file would rerun every test file
 * in watch mode.
 */
export default class OrderedImportsRunner extends TestRunner {
  override async importFile(file: string, source: 'collect' | 'setup'): Promise<unknown> {
    await import('../../src/modules/index.js');
    return super.importFile(file, source);
  }
}
