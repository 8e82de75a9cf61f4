const counted = (count: string, noun: string): string =>
  `${count} ${count === '1' ? noun : `${noun}s`}`;

/**
 * What the app says, in English. `textsFor` picks by locale: another language is another object of
 * this shape. Names and amounts arrive escaped.
 */
const english = {
  // Refusals, which only the caller sees.
  resting: 'Points are resting. Try again in a minute.',
  failed: 'Something went wrong on our side. Try again, and tell a manager if it goes on.',
  notLinked: 'This server is not linked to a realm yet. A manager can link it in the console.',
  onlyInServers: 'Use this in a server: points belong to one.',
  onlyManagers: 'Only managers can do this: those who have their role, or may manage the server.',
  bots: (name: string) => `${name} is a bot, and bots keep no points.`,
  unknownKind: 'There are no such points here. Pick one from the list.',
  unknownOffer: 'There is no such offer. Pick one from the list.',
  notFree: 'This costs points. Use /buy to get it.',
  unknownMovement: 'There is no such movement. Pick one from the list.',
  unknownMember: 'This member is not in the server any more.',
  noDaily: 'There is no daily reward here yet.',
  outdated: 'This is out of date. Use the command again.',
  priceChanged: (costs: string) => `The price has changed: it costs ${costs} now. Buy it again.`,
  balanceOf: (name: string) => `${name}’s points`,
  yourBalance: 'Your points',
  onHold: (amount: string) => `${amount} of them on hold`,
  none: 'none',
  gave: (who: string, what: string, whom: string) => `${who} gave ${whom} **${what}**.`,
  askGive: (amount: string, recipient: string, left: string) =>
    `Give ${recipient} **${amount}**? You will have ${left} left.`,
  given: (what: string, to: string, left: string) => `You gave ${to} **${what}**: ${left} left.`,
  cancelled: 'Nothing was changed.',
  give: 'Give',
  cancel: 'Cancel',
  leaderboard: 'Leaderboard',
  windows: { all: 'All time', month: 'This month', week: 'This week', day: 'Today' },
  nobody: 'Nobody has points yet.',
  ranked: (count: string) => counted(count, 'member'),
  history: 'Your history',
  noHistory: 'Nothing has moved yet.',
  newer: 'Newer',
  older: 'Older',
  previous: 'Previous',
  next: 'Next',
  from: (name: string) => `from ${name}`,
  to: (name: string) => `to ${name}`,
  movements: {
    'points.opened': 'Opening balance',
    'points.added': 'Awarded',
    'points.subtracted': 'Taken',
    'points.transferred': 'Gift',
    'points.captured': 'Paid from a hold',
    'points.reversed': 'Undone',
    'offer.claimed': 'Claim',
    'claim.rejected': 'Claim rejected',
  } as Record<string, string>,
  claimed: (name: string, offer: string) => `${name} claimed ${offer}`,
  bought: (name: string, offer: string) => `${name} bought ${offer}`,
  gets: (amounts: string) => `**+${amounts}**`,
  paid: (amounts: string) => `for ${amounts}`,
  streak: (days: string) => `🔥 ${days} days in a row`,
  pendingNote: 'It is delivered by a manager.',
  roleNote: 'The role follows in a moment.',
  shop: 'Shop',
  emptyShop: 'There is nothing to buy at the moment.',
  youHave: (amounts: string) => `You have ${amounts}. Use /buy to get something.`,
  left: (count: string) => `${count} left`,
  free: 'free',
  askBuy: (offer: string, costs: string, left: string) =>
    `Buy ${offer} for **${costs}**? You will have ${left} left.`,
  youBought: (offer: string, costs: string) => `You bought ${offer} for **${costs}**.`,
  buy: 'Buy',
  inventory: 'Your inventory',
  emptyInventory: 'You have not bought anything yet. `/shop` shows what there is.',
  statuses: { pending: 'on its way', done: 'yours', rejected: 'rejected' },
  wallet: 'Your wallet',
  walletHow:
    'Open the page, connect your wallet and sign a short text: that proves it is yours. It costs ' +
    'nothing, and moves nothing.',
  walletUntil: (when: string) => `The link is yours alone, works once, and expires ${when}.`,
  walletOpen: 'Sign with your wallet',
  walletsLinked: (count: string) => `Linked so far: ${count}`,
  awarded: (recipient: string, amount: string) => `${recipient} was awarded **${amount}**.`,
  taken: (who: string, what: string, left: string) => `Took **${what}** from ${who}: ${left} left.`,
  undone: (amount: string, name: string) => `Undone: **${amount}** of ${name}.`,
  pending: 'Claims to deliver',
  nothingPending: 'Nothing waits to be delivered.',
  deliver: 'Deliver',
  reject: 'Reject',
  latest: 'Latest movements',
  // Announcements, and what a person has to do at Discord.
  bigGift: (who: string, what: string, whom: string) => `💝 ${who} gave ${whom} **${what}**.`,
  newOffer: (offer: string) => `New: ${offer}`,
  howToGet: (command: string) => `Get it with \`${command}\`.`,
  drawn: (offer: string) => `The draw of ${offer}`,
  winners: (names: string, count: number) => `🎉 ${count === 1 ? 'Winner' : 'Winners'}: ${names}`,
  noWinners: 'Nobody had a ticket.',
  drawProof: (tickets: string, seed: string) => `${counted(tickets, 'ticket')} · seed ${seed}`,
};

export type Texts = typeof english;

const languages: Record<string, Texts> = { en: english };

export const textsFor = (locale: string): Texts =>
  languages[locale] ?? languages[locale.split('-')[0] ?? ''] ?? english;
