import type { Command } from '../process/command.js';
import { recordOptions, recordUsage } from '../replay/recording/options.js';

export const command: Command = {
  usage: recordUsage,
  async run(args) {
    const options = recordOptions(args);
    // Loaded only with valid options, because the records of all modules take a moment to load.
    const { recordTraffic } = await import('../replay/recording/recording.js');
    await recordTraffic(options);
    return 0;
  },
};
