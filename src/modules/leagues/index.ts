import { module } from '../../kernel/serve/module.js';
import { Club, ContactTexts } from './club.js';
import { League } from './league.js';
import { LeagueListing } from './league-listing.js';
import { LeagueListingResolver, LeagueResolver } from './league-resolver.js';
import { LeagueMessagingResolver } from './messaging-resolver.js';
import { SearchRecordResolver } from './upsert-by-title.js';

/** Leagues, clubs and messages to their players (sections 2.17, 2.20, 4.16 and 4.19). */
export const leagues = module({
  name: 'leagues',
  description: 'Leagues, clubs and messages to their players.',
  messages: true,
  records: [Club, League, LeagueListing],
  values: [ContactTexts],
  resolvers: [LeagueResolver, LeagueListingResolver, SearchRecordResolver, LeagueMessagingResolver],
});
