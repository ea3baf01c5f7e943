import { environmentWith } from '../config/index.js';
import type { Command } from '../process/command.js';
import { StartProblem } from '../process/start-problem.js';
import { replayOptions, replayUsage } from '../replay/run/options.js';

export const command: Command = {
  usage: replayUsage,
  async run(args) {
    const options = replayOptions(args, environmentWith({}));
    // The code is imported only after the options are validated, because loading all routes is slow.
    const { replayFile } = await import('../replay/run/run.js');
    try {
      return (await replayFile(options)) ? 0 : 1;
    } catch (error) {
      // Exit code 1 means that responses differ. Code 2 means a problem with the file, a token or a connection, or invalid arguments.
      if (!(error instanceof StartProblem)) throw error;
      console.error(error.message);
      return 2;
    }
  },
};
