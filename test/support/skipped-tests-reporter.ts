import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import './prerequisites.js';

/** The reason of the test itself or of the closest `describe` around it. */
function skipReasonOf(test: TestCase): string {
  for (let task: TestCase | TestCase['parent'] = test; task.type !== 'module'; task = task.parent) {
    const { skipReason } = task.meta();
    if (skipReason) return skipReason;
  }
  const result = test.result();
  return (result.state === 'skipped' && result.note) || 'no reason given';
}

/** Lists skipped tests by file and reason at the end of the run. In CI (`CI=true`) a skipped test fails the run. */
export default class SkippedTestsReporter implements Reporter {
  #hasNamePattern = false;

  onInit({ config }: Vitest): void {
    this.#hasNamePattern = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // `vitest -t` skips all tests of other names.
    if (this.#hasNamePattern) return;
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    console.log(`\nSkipped tests (${skipped.length}):`);
    for (const test of skipped) console.log(`  ${relative('.', test.module.moduleId)} > ${test.fullName}: ${skipReasonOf(test)}`);
    if (process.env.CI) {
      console.log('In CI no test may be skipped: install what these tests need.');
      process.exitCode = 1;
    }
  }
}
