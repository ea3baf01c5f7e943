/** A group of operations in the reference. */
export interface OperationGroup {
  readonly title: string;
  readonly description: string;
  /** Matches the paths of the operations. */
  readonly pathPattern: RegExp;
}

/** All groups in the order of the interface document. Each operation belongs to exactly one of them. */
export const groups: readonly OperationGroup[] = [
  {
    title: 'Lookup records (reference data)',
    description: 'Email address lookups, and reference data such as countries, currencies, formats and roles.',
    pathPattern: /^\/v1\/data\/(lookup_|user-email-lookup\/)|^\/v1\/roles_per_module$/,
  },
  {
    title: 'Referee lookups',
    description: 'Terms that referees use to record a match.',
    pathPattern: /^\/v1\/referee\/lookup_/,
  },
  {
    title: 'Tournament flat data',
    description: 'Tournaments as flat records, with many filters.',
    pathPattern: /\/tourney_flat_data(\/|$)/,
  },
  {
    title: 'Checkout upserts',
    description: 'Discount codes, invoices, payments and payment methods.',
    pathPattern: /^\/v1\/pb_/,
  },
  {
    title: 'Sponsors',
    description: 'Player sponsors and sponsor images. Both need approval.',
    pathPattern: /^\/v1\/(admin|data)\/sponsors(\/|$)|\/add_sponsor\//,
  },
  {
    title: 'Categories',
    description: 'Categories of news and instructional videos.',
    pathPattern: /^\/v1\/(data\/)?categories(\/|$)/,
  },
  {
    title: 'Teams',
    description: 'Teams of one or two players in a tournament event.',
    pathPattern: /^\/v1\/(data\/)?teams(\/|$)/,
  },
  {
    title: 'System approval comments',
    description: 'Comments that approvers add to an item.',
    pathPattern: /^\/v1\/admin\/system-approvals\/\{item_uuid\}\//,
  },
  {
    title: 'System approvals',
    description: 'Approvals of items such as sponsors and images, identified by item type and ID.',
    pathPattern: /^\/v1\/admin\/system-approvals\/\{item_type\}\//,
  },
  {
    title: 'User images and biographies',
    description: 'User images and biographies, and all items that are pending approval.',
    pathPattern: /^\/v1\/users\/\{uuid\}\/(image|biography)(\/|$)|^\/v1\/admin\/pending_/,
  },
  {
    title: 'Referee prematch and pregame',
    description: 'Records that referees create before a match and before each game.',
    pathPattern: /^\/v1\/referee\/pre(matches|games)(\/|$)/,
  },
  { title: 'Tournament referees', description: 'Users who referee tournaments.', pathPattern: /\/tournament_referee(\/|$)/ },
  {
    title: 'Rankings',
    description: 'Player rankings and ranking points.',
    pathPattern: /\/partner_rankings|\/points$|\/rankings\/upsert$/,
  },
  { title: 'Likes', description: 'User reactions to news items.', pathPattern: /\/like_system\// },
  {
    title: 'Attendee event records',
    description: 'Registrations for tournaments and events, and final rankings of teams.',
    pathPattern: /^\/v1\/tournament_(attendee|event_final)/,
  },
  { title: 'Game scheduler', description: 'Games that players organize themselves.', pathPattern: /\/game_scheduler(\/|$)/ },
  {
    title: 'Favorites',
    description: 'Tournaments, clinics, leagues and clubs that users marked as favorites.',
    pathPattern: /\/favorites(\/|$)/,
  },
  {
    title: 'Club and league search records',
    description: 'Search records of clubs and leagues, with contact details.',
    pathPattern: /_flat_data_search(\/|$)/,
  },
  {
    title: 'Notifications',
    description: 'User notifications and notification settings.',
    pathPattern: /^\/v1\/users\/\{uuid\}\/push_notifications/,
  },
  {
    title: 'News and news outlets',
    description: 'News items and the outlets that publish them.',
    pathPattern: /^\/v1\/(admin|data)\/news(_outlet)?(\/|$)/,
  },
  { title: 'Leagues', description: 'Leagues, and messages to their players.', pathPattern: /^\/v1\/(data\/)?leagues(\/|$)/ },
  {
    title: 'Single sign-on and public endpoints',
    description: 'Registration, sign-in, tokens, password resets, the contact form and user records.',
    pathPattern: /^\/sso_platform\/|^\/v1\/(sso|pub)\/|^\/v1\/users\/(\{uuid\}|upsert)$/,
  },
];
