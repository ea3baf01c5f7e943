import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import type { Missing } from './prerequisites.js';

/**
 * Returns the missing prerequisite of a test or of the closest `describe` around it. If there is none, returns the reason why the test was
 * skipped.
 */
function missingOf(test: TestCase): Missing {
  for (let task: TestCase | TestCase['parent'] = test; task.type !== 'module'; task = task.parent) {
    const { missing } = task.meta();
    if (missing) return missing;
  }
  const result = test.result();
  return { reason: (result.state === 'skipped' && result.note) || 'no reason given', isInstallable: true };
}

/** Whether a test was skipped because a hook of its file or of a `describe` around it failed. */
function isAfterFailure(test: TestCase): boolean {
  for (let task = test.parent; ; task = task.parent) {
    if (task.errors().length > 0) return true;
    if (task.type === 'module') return false;
  }
}

/**
 * Lists the skipped tests at the end of the run, grouped by file and reason. In CI (`CI=true`), the run fails if a test with an installable
 * prerequisite was skipped.
 */
export default class SkippedTestsReporter implements Reporter {
  #hasNamePattern = false;

  onInit({ config }: Vitest): void {
    this.#hasNamePattern = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // `vitest -t` skips all tests with other names on purpose.
    if (this.#hasNamePattern) return;
    const skipped = modules
      .flatMap((module) => [...module.children.allTests('skipped')])
      .filter((test) => !isAfterFailure(test))
      .map((test) => ({ test, ...missingOf(test) }));
    if (skipped.length === 0) return;
    console.log(`\nSkipped tests (${skipped.length}):`);
    const byReason = Object.groupBy(skipped, ({ test, reason }) => `${relative('.', test.module.moduleId)}: ${reason}`);
    for (const [heading, tests = []] of Object.entries(byReason)) {
      console.log(`  ${heading}`);
      for (const { test } of tests) console.log(`    ${test.fullName}`);
    }
    if (process.env.CI && skipped.some(({ isInstallable }) => isInstallable)) {
      console.log('These tests must run in CI: install their prerequisites.');
      process.exitCode = 1;
    }
  }
}
