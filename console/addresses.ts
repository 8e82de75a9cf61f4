/** The addresses of the console's views: everything that can be shown can be shared. */
const at = (realm: string, rest = ''): string => `/realms/${encodeURIComponent(realm)}${rest}`;

export const addresses = {
  realms: '/realms',
  sessions: '/sessions',
  owners: '/people',
  overview: (realm: string) => at(realm),
  members: (realm: string) => at(realm, '/members'),
  member: (realm: string, id: string, search = '') => at(realm, `/members/${id}${search}`),
  import: (realm: string) => at(realm, '/import'),
  activity: (realm: string) => at(realm, '/activity'),
  record: (realm: string, seq: number, search = '') => at(realm, `/activity/${seq}${search}`),
  reference: (realm: string, reference: string) =>
    at(realm, `/activity?${new URLSearchParams({ reference })}`),
  /** What happened on a day of UTC. */
  day: (realm: string, time: number) => {
    const day = new Date(time).toISOString().slice(0, 10);
    return at(realm, `/activity?${new URLSearchParams({ group: 'points', from: day, to: day })}`);
  },
  offers: (realm: string) => at(realm, '/offers'),
  offer: (realm: string, id: string, search = '') => at(realm, `/offers/${id}${search}`),
  claims: (realm: string) => at(realm, '/claims'),
  leaderboard: (realm: string) => at(realm, '/leaderboard'),
  wallets: (realm: string) => at(realm, '/wallets'),
  points: (realm: string) => at(realm, '/points'),
  people: (realm: string) => at(realm, '/people'),
  keys: (realm: string) => at(realm, '/keys'),
  discord: (realm: string) => at(realm, '/discord'),
  webhooks: (realm: string) => at(realm, '/webhooks'),
  webhook: (realm: string, id: string) => at(realm, `/webhooks/${id}`),
  delivery: (realm: string, webhook: string, id: number) =>
    at(realm, `/webhooks/${webhook}?delivery=${id}`),
  integrity: (realm: string) => at(realm, '/integrity'),
  /** Of the picture of a member, which there may be. */
  picture: (realm: string, id: string) => `/console/pictures/${encodeURIComponent(realm)}/${id}`,
  settings: (realm: string) => at(realm, '/settings'),
};
