import { nodeProblem } from '../process/node-version.js';

/** Runs a command of `npm run` that needs a checkout with development dependencies, and returns its exit code. */
async function run(args: readonly string[]): Promise<number> {
  const problem = nodeProblem();
  if (problem) {
    console.error(problem);
    return 1;
  }
  // The program is imported after the version check, because older Node.js versions cannot load its files.
  const { runProgram } = await import('./program.js');
  return runProgram(
    {
      name: 'npm run',
      description: 'Commands for contributors.',
      commands: {
        dev: { summary: 'Run the service, and restart it after each source change.', load: () => import('./dev.js') },
        migration: { summary: 'Write a migration from the record declarations.', load: () => import('./migration.js') },
        schema: { summary: 'Write the GraphQL schema to schema/.', load: () => import('./schema.js') },
        supergraph: {
          summary: 'Run a gateway with subgraphs in separate processes.',
          load: () => import('./supergraph/index.js'),
        },
        sdk: { summary: 'Build the TypeScript SDK in dist/sdk.', load: () => import('./sdk/build-package.js') },
        reference: {
          summary: 'Write the reference data that is generated from packages.',
          load: () => import('../modules/reference/generate/index.js'),
        },
      },
      footer: 'Example: npm run schema -- --help',
    },
    args,
  );
}

const code = await run(process.argv.slice(2));
// If the output could not be written, the exit code is already set.
process.exitCode ||= code;
