/** Operations that stand together: a title, what they are about, and which paths they have. */
export interface Group {
  readonly title: string;
  readonly about: string;
  readonly holds: RegExp;
}

/** The groups in the order of the interface. Each operation stands in one of them. */
export const groups: readonly Group[] = [
  {
    title: 'Lookup records (reference data)',
    about: 'Lists of reference data, such as countries, currencies, formats and roles, and the lookup of an e-mail address.',
    holds: /^\/v1\/data\/(lookup_|user-email-lookup\/)|^\/v1\/roles_per_module$/,
  },
  {
    title: 'Referee lookups',
    about: 'The vocabularies of referees, with which they record what happens in a match.',
    holds: /^\/v1\/referee\/lookup_/,
  },
  {
    title: 'Tournament flat data',
    about: 'Tournaments: found by many filters, read, written and deleted as one flat record.',
    holds: /\/tourney_flat_data(\/|$)/,
  },
  {
    title: 'Checkout upserts',
    about: 'Discount codes, invoices, payments, and how merchants are paid.',
    holds: /^\/v1\/pb_/,
  },
  {
    title: 'Sponsors',
    about: 'Sponsors of players with their images, which go through approval.',
    holds: /^\/v1\/(admin|data)\/sponsors(\/|$)|\/add_sponsor\//,
  },
  { title: 'Categories', about: 'Categories of news and instructional videos.', holds: /^\/v1\/(data\/)?categories(\/|$)/ },
  { title: 'Teams', about: 'Teams of one or two players in an event of a tournament.', holds: /^\/v1\/(data\/)?teams(\/|$)/ },
  {
    title: 'System approval comments',
    about: 'What those who approve say of an item.',
    holds: /^\/v1\/admin\/system-approvals\/\{item_uuid\}\//,
  },
  {
    title: 'System approvals',
    about: 'Approving, unapproving and declining what users made, by the number of its kind and its id.',
    holds: /^\/v1\/admin\/system-approvals\/\{item_type\}\//,
  },
  {
    title: 'User images and biographies',
    about: 'Images and biographies of users, and what waits for approval.',
    holds: /^\/v1\/users\/\{uuid\}\/(image|biography)(\/|$)|^\/v1\/admin\/pending_/,
  },
  {
    title: 'Referee prematch and pregame',
    about: 'What referees record before a match and before each of its games.',
    holds: /^\/v1\/referee\/pre(matches|games)(\/|$)/,
  },
  { title: 'Tournament referees', about: 'Who referees at which tournament.', holds: /\/tournament_referee(\/|$)/ },
  {
    title: 'Rankings',
    about: 'The ranking of players, and the points of which it is made.',
    holds: /\/partner_rankings|\/points$|\/rankings\/upsert$/,
  },
  { title: 'Likes', about: 'Reactions of users to news.', holds: /\/like_system\// },
  {
    title: 'Attendee event records',
    about: 'Registrations for tournaments, entries in events, and the places that teams reached.',
    holds: /^\/v1\/tournament_(attendee|event_final)/,
  },
  { title: 'Game scheduler', about: 'Games that players schedule among themselves.', holds: /\/game_scheduler(\/|$)/ },
  { title: 'Favorites', about: 'Tournaments, clinics, leagues and clubs that users marked.', holds: /\/favorites(\/|$)/ },
  {
    title: 'Club and league search records',
    about: 'Clubs and leagues as search finds them, with whom to ask.',
    holds: /_flat_data_search(\/|$)/,
  },
  {
    title: 'Notifications',
    about: 'Notifications of users, and which kinds of them they get.',
    holds: /^\/v1\/users\/\{uuid\}\/push_notifications/,
  },
  { title: 'News and news outlets', about: 'News, and where they appeared.', holds: /^\/v1\/(admin|data)\/news(_outlet)?(\/|$)/ },
  { title: 'Leagues', about: 'Leagues, and messages to their players.', holds: /^\/v1\/(data\/)?leagues(\/|$)/ },
  {
    title: 'Single sign-on and public endpoints',
    about: 'Registering, signing in, tokens, forgotten passwords, the contact form, and the record of a user.',
    holds: /^\/sso_platform\/|^\/v1\/(sso|pub)\/|^\/v1\/users\/(\{uuid\}|upsert)$/,
  },
];
