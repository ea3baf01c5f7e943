/** Constant values of the demo data, keyed by GraphQL root field and argument path. */
export const demoValues: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  tournament: { id: 'demo-tournament' },
  tournamentByCode: { code: 'DEMOAUST' },
  team: { id: 'demo-team' },
  tournamentReferee: { id: 'demo-referee' },
  user: { id: 'demo-user' },
  league: { id: 'demo-league' },
  leagueBySlug: { slug: 'demo-league' },
  newsItem: { id: 'demo-news', userId: 'demo-user' },
  newsItemBySlug: { slug: 'demo-news' },
  newsReactions: { newsItemId: 'demo-news' },
  newsOutlet: { id: 'demo-outlet' },
  category: { id: '1' },
  sponsor: { id: 'demo-sponsor' },
  approvals: { 'filter.itemType.eq': 'SPONSOR', 'filter.itemId.eq': 'demo-sponsor' },
  approvalComments: { 'filter.itemId.eq': 'demo-sponsor' },
  approvalComment: { id: 'demo-comment', itemId: 'demo-sponsor' },
  allRankingPoints: { 'filter.eventId.eq': 'demo-played-event' },
  favorites: { 'filter.userId.eq': 'demo-user' },
  notifications: { 'filter.userId.eq': 'demo-user' },
  isLinkOpen: { value: 'demo-link' },
  prematch: { id: 'demo-prematch' },
  pregame: { id: 'demo-pregame' },
  notificationSettings: { userId: 'demo-user' },
  emailLookup: { email: 'player@courtside.test' },
};

/** Returns the demo value for a coordinate such as `Query.team.id`. Undefined if the demo data has no value for it. */
export function demoValueAt(coordinate: string | null): unknown {
  const [, root = '', ...path] = (coordinate ?? '').split('.');
  return demoValues[root]?.[path.join('.')];
}
