import { nodeProblem } from '../process/node-version.js';

const problem = nodeProblem();
if (problem) {
  console.error(problem);
  process.exit(1);
}

// The program is imported after the version check, because older Node.js versions cannot load its files.
const { runProgram } = await import('./program.js');

/** Commands of `npm run` that need a checkout with development dependencies. They are not part of the image. */
process.exitCode = await runProgram(
  {
    name: 'npm run',
    description: 'Commands for contributors.',
    commands: {
      dev: { summary: 'Run the service, and restart it after each source change.', load: () => import('./dev.js') },
      migration: { summary: 'Write a migration from the record declarations.', load: () => import('./migration.js') },
      schema: { summary: 'Write the GraphQL schema to schema/.', load: () => import('./schema.js') },
      supergraph: { summary: 'Run a gateway with subgraphs in separate processes.', load: () => import('./supergraph/index.js') },
      sdk: { summary: 'Build the TypeScript SDK in dist/sdk.', load: () => import('./sdk/build-package.js') },
    },
    footer: 'Example: npm run schema -- --help',
  },
  process.argv.slice(2),
);
