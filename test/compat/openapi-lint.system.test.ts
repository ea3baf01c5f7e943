import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApiDocument } from '../../compat/reference/index.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { referenceOf } from '../../src/pages/reference.js';
import { importTool, missingTool } from '../support/clients/tools.js';
import { requires } from '../support/prerequisites.js';

const linter = '@redocly/openapi-core';

/** The parts of `@redocly/openapi-core` that are used here. */
interface Linter {
  createConfig(config: { extends: string[] }): Promise<object>;
  lint(options: { ref: string; config: object }): Promise<Problem[]>;
}

interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

test('redocly reports no problem except ambiguous paths of system approvals', {
  ...requires(missingTool(linter)),
  timeout: 60_000,
}, async () => {
  const { createConfig, lint } = (await importTool(linter)) as Linter;
  const document = openApiDocument(referenceOf(graphOfModules()), { origin: 'https://play.example' });
  const directory = mkdtempSync(join(tmpdir(), 'courtside-openapi-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const ref = join(directory, 'openapi.json');
  writeFileSync(ref, JSON.stringify(document));
  const problems = await lint({ ref, config: await createConfig({ extends: ['recommended'] }) });
  const unexpected = problems.filter(
    ({ ruleId, message }) => ruleId !== 'no-ambiguous-paths' || !/system-approvals/.test(message),
  );
  expect(unexpected.map(({ message, location: [location] }) => `${message} ${location?.pointer}`)).toEqual([]);
});
