/** Well-known records of the demo season, by root field and the argument's path. */
export const seasonValues: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  tournament: { id: 'demo-tournament' },
  user: { id: 'demo-user' },
  league: { id: 'demo-league' },
  newsItem: { id: 'demo-news' },
  newsReactions: { newsItemId: 'demo-news' },
  notificationSettings: { userId: 'demo-user' },
};
