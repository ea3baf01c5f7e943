import { nodeProblem } from './node-version.js';

const problem = nodeProblem();
if (problem) {
  console.error(problem);
  process.exit(1);
}

// What packages call that Node advises against is no news to operators; in a bundle Node cannot tell packages from us.
process.noDeprecation = true;

// Imported only now: an older Node would stumble over what these files import before it could be told so.
const { enableCompileCache, flushCompileCache } = await import('node:module');
const { closeInTime } = await import('./lifecycle/closing.js');
const { Opened } = await import('./lifecycle/opened.js');
const { loadConfig } = await import('./config.js');
const { StartProblem } = await import('./start-problem.js');

const opened = new Opened();
const closing = closeInTime(opened, () => process.exit(1));
try {
  const config = loadConfig();
  // Beside the build, which it belongs to: nobody else may write there. It is held in memory, so small processes do without.
  if (config.graph) enableCompileCache(`${import.meta.dirname}/../compiled`);
  const { start } = await (config.workers > 1 ? import('./lifecycle/workers/index.js') : import('./lifecycle/start.js'));
  await start(config, opened);
  flushCompileCache();
} catch (error) {
  // What fails because a signal is just closing it is no news.
  if (!closing.hasBegun) {
    console.error(error instanceof StartProblem ? error.message : error);
    await opened.close();
    process.exit(1);
  }
}
