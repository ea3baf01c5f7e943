import { environmentWith } from '../config.js';
import { StartProblem } from '../start-problem.js';
import { replayOptions, replayUsage } from './replay/options.js';

if (import.meta.main) {
  const options = replayOptions(process.argv.slice(2), environmentWith({}));
  try {
    if (!options) console.error(replayUsage);
    // What knows the routes takes a moment to load.
    process.exitCode = options ? ((await (await import('./replay/run.js')).replayFile(options)) ? 0 : 1) : 2;
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
