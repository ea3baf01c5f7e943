import type { Migration } from '@mikro-orm/migrations';
import { Migration0001Extensions } from './0001-extensions.js';
import { Migration0002Reference } from './0002-reference.js';
import { Migration0003Accounts } from './0003-accounts.js';
import { Migration0004Leagues } from './0004-leagues.js';
import { Migration0005Tournaments } from './0005-tournaments.js';
import { Migration0006Accounts } from './0006-accounts.js';
import { Migration0007Checkout } from './0007-checkout.js';
import { Migration0008Officiating } from './0008-officiating.js';
import { Migration0009Leagues } from './0009-leagues.js';
import { Migration0010News } from './0010-news.js';
import { Migration0011Media } from './0011-media.js';
import { Migration0012Accounts } from './0012-accounts.js';
import { Migration0013Rankings } from './0013-rankings.js';
import { Migration0014Scheduler } from './0014-scheduler.js';
import { Migration0015Engagement } from './0015-engagement.js';
import { Migration0016Kept } from './0016-kept.js';
import { Migration0017Accounts } from './0017-accounts.js';
import { Migration0018Rules } from './0018-rules.js';
import { Migration0019Scheduler } from './0019-scheduler.js';
import { Migration0020Days } from './0020-days.js';
import { Migration0021Whole } from './0021-whole.js';
import { Migration0022Filled } from './0022-filled.js';
import { Migration0023Retries } from './0023-retries.js';
import { Migration0024Versions } from './0024-versions.js';
import { Migration0025Places } from './0025-places.js';
import { Migration0026Subjects } from './0026-subjects.js';
import { Migration0027Tournaments } from './0027-tournaments.js';
import { Migration0028Names } from './0028-names.js';
import { Migration0029Checkout } from './0029-checkout.js';
import { Migration0030Records } from './0030-records.js';
import { Migration0031Codes } from './0031-codes.js';
import { Migration0032Scheduler } from './0032-scheduler.js';
import { Migration0033Kept } from './0033-kept.js';
import { Migration0034Growth } from './0034-growth.js';
import { Migration0035Names } from './0035-names.js';
import { Migration0037SignIns } from './0037-sign-ins.js';
import { Migration0038Audit } from './0038-audit.js';
import { Migration0040Words } from './0040-words.js';
import { Migration0041Done } from './0041-done.js';
import { Migration0042Usage } from './0042-usage.js';
import { Migration0043Deprecations } from './0043-deprecations.js';
import { Migration0044CalendarLinks } from './0044-calendar-links.js';
import { Migration0045Shadow } from './0045-shadow.js';
import { Migration0046Changes } from './0046-changes.js';
import { Migration0047Webhooks } from './0047-webhooks.js';
import { Migration0048Truncated } from './0048-truncated.js';
import { Migration0049SeenBefore } from './0049-seen-before.js';
import { Migration0050Again } from './0050-again.js';
import { Migration0051Currencies } from './0051-currencies.js';
import { Migration0052WebhookContacts } from './0052-webhook-contacts.js';
import { Migration0053UnprovenPasswords } from './0053-unproven-passwords.js';
import { Migration0057DerivedValues } from './0057-derived-values.js';
import { Migration0058Withdrawals } from './0058-withdrawals.js';
import { Migration0060LeagueCurrencies } from './0060-league-currencies.js';
import { Migration0061PlacesInSearch } from './0061-places-in-search.js';
import { Migration0062GameInvitations } from './0062-game-invitations.js';
import { Migration0063Matches } from './0063-matches.js';
import { Migration0069UserSlugs } from './0069-user-slugs.js';
import { Migration0072Names } from './0072-names.js';
import { Migration0073ErasedUsers } from './0073-erased-users.js';
import { Migration0074MatchLocks } from './0074-match-locks.js';
import { Migration0075SearchTexts } from './0075-search-texts.js';
import { Migration0076DeletedCompetitions } from './0076-deleted-competitions.js';
import { Migration0077Names } from './0077-names.js';
import { Migration0082MoreNames } from './0082-more-names.js';
import { Migration0083UnprovenAddresses } from './0083-unproven-addresses.js';

/** Every change of the schema, oldest first. A migration is added at the end and never edited once it has landed. */
export const migrations: (new (...options: ConstructorParameters<typeof Migration>) => Migration)[] = [
  Migration0001Extensions,
  Migration0002Reference,
  Migration0003Accounts,
  Migration0004Leagues,
  Migration0005Tournaments,
  Migration0006Accounts,
  Migration0007Checkout,
  Migration0008Officiating,
  Migration0009Leagues,
  Migration0010News,
  Migration0011Media,
  Migration0012Accounts,
  Migration0013Rankings,
  Migration0014Scheduler,
  Migration0015Engagement,
  Migration0016Kept,
  Migration0017Accounts,
  Migration0019Scheduler,
  Migration0020Days,
  Migration0018Rules,
  Migration0021Whole,
  Migration0022Filled,
  Migration0023Retries,
  Migration0024Versions,
  Migration0025Places,
  Migration0026Subjects,
  Migration0027Tournaments,
  Migration0028Names,
  Migration0029Checkout,
  Migration0030Records,
  Migration0031Codes,
  Migration0032Scheduler,
  Migration0033Kept,
  Migration0034Growth,
  Migration0035Names,
  Migration0037SignIns,
  Migration0038Audit,
  Migration0040Words,
  Migration0041Done,
  Migration0042Usage,
  Migration0043Deprecations,
  Migration0044CalendarLinks,
  Migration0045Shadow,
  Migration0046Changes,
  Migration0047Webhooks,
  Migration0048Truncated,
  Migration0049SeenBefore,
  Migration0050Again,
  Migration0051Currencies,
  Migration0052WebhookContacts,
  Migration0053UnprovenPasswords,
  Migration0057DerivedValues,
  Migration0058Withdrawals,
  Migration0060LeagueCurrencies,
  Migration0061PlacesInSearch,
  Migration0062GameInvitations,
  Migration0063Matches,
  Migration0069UserSlugs,
  Migration0072Names,
  Migration0073ErasedUsers,
  Migration0074MatchLocks,
  Migration0075SearchTexts,
  Migration0076DeletedCompetitions,
  Migration0077Names,
  Migration0082MoreNames,
  Migration0083UnprovenAddresses,
];
