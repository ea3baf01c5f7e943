import type { Command } from '../process/command.js';
import { recordOptions, recordUsage } from '../replay/recording/options.js';

export const command: Command = {
  usage: recordUsage,
  async run(args) {
    const options = recordOptions(args);
    // The code is imported only after the options are validated, because loading all modules is slow.
    const { recordTraffic } = await import('../replay/recording/recording.js');
    await recordTraffic(options);
    return 0;
  },
};
