import { forgetChanges } from '../../kernel/changes/log-sql.js';
import { module } from '../../kernel/serve/module.js';
import { liveOfRecords } from './changes.js';
import { LiveResolver } from './live-resolver.js';

/** What changes, told to whoever waits for it. */
export const live = module({
  name: 'live',
  description: 'What changes, as it does.',
  records: [],
  resolvers: [LiveResolver, ...liveOfRecords],
  daily: [
    {
      name: 'forget-changes',
      run: (sql, { settings }) => forgetChanges((...asked) => sql.query(...asked), settings.changesDays),
    },
  ],
});
