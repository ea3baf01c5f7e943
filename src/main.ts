import { nodeProblem } from './process/node-version.js';

const problem = nodeProblem();
if (problem) {
  console.error(problem);
  process.exit(1);
}

// Suppresses deprecation warnings of dependencies, which operators cannot fix. In a bundle, Node cannot tell dependencies from the
// service.
process.noDeprecation = true;

// The service is imported after the version check, because older Node versions cannot load its files.
const { enableCompileCache, flushCompileCache } = await import('node:module');
const { closeGracefully } = await import('./server/lifecycle/close-gracefully.js');
const { OpenResources } = await import('./server/lifecycle/open-resources.js');
const { loadConfig } = await import('./config/index.js');
const { StartProblem } = await import('./process/start-problem.js');

const resources = new OpenResources();
const closing = closeGracefully(resources, () => process.exit(1));
try {
  const config = loadConfig();
  // The cache is in the build directory, which other users cannot write to. It takes memory, so small processes do not use it.
  if (config.graph) enableCompileCache(`${import.meta.dirname}/../compiled`);
  const { start } = await (config.workers > 1 ? import('./server/workers/index.js') : import('./server/lifecycle/start.js'));
  await start(config, resources);
  flushCompileCache();
} catch (error) {
  // Errors after a shutdown has started are not reported, because the shutdown can cause them.
  if (!closing.hasStarted) {
    const { explainStartError } = await import('./database/checks/start-error.js');
    const explained = explainStartError(error);
    console.error(explained instanceof StartProblem ? explained.message : explained);
    await resources.close();
    process.exit(1);
  }
}
