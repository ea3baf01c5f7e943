import { StartProblem } from '../start-problem.js';
import { recordOptions, recordUsage } from './record-options.js';

if (import.meta.main) {
  const options = recordOptions(process.argv.slice(2));
  try {
    // What knows the records takes a moment to load.
    if (options) await (await import('./traffic/recording.js')).recordTraffic(options);
    else console.error(recordUsage);
    if (!options) process.exitCode = 2;
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
