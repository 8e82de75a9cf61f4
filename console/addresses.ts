/** The addresses of the console's views: everything that can be shown can be shared. */
const at = (realm: string, rest = ''): string => `/realms/${encodeURIComponent(realm)}${rest}`;

export const addresses = {
  realms: '/realms',
  sessions: '/sessions',
  overview: (realm: string) => at(realm),
  members: (realm: string) => at(realm, '/members'),
  member: (realm: string, id: string, search = '') => at(realm, `/members/${id}${search}`),
  import: (realm: string) => at(realm, '/import'),
  activity: (realm: string) => at(realm, '/activity'),
  record: (realm: string, seq: number, search = '') => at(realm, `/activity/${seq}${search}`),
  leaderboard: (realm: string) => at(realm, '/leaderboard'),
  wallets: (realm: string) => at(realm, '/wallets'),
  points: (realm: string) => at(realm, '/points'),
  keys: (realm: string) => at(realm, '/keys'),
  webhooks: (realm: string) => at(realm, '/webhooks'),
  webhook: (realm: string, id: string) => at(realm, `/webhooks/${id}`),
  integrity: (realm: string) => at(realm, '/integrity'),
  settings: (realm: string) => at(realm, '/settings'),
};
