import { CLIENT_AT_MOST, type ClientResult } from './cases/client.ts';
import { metOrMissed, table, whole } from './table.ts';

export function clientText(result: ClientResult | null): string[] {
  if (!result) return [];
  const { byClient, byFetch, ratio, turns } = result;
  const target = `<= ${CLIENT_AT_MOST} ${metOrMissed(ratio <= CLIENT_AT_MOST)}`;
  return [
    '',
    `Reading a member, one call after another: the quickest tenth of ${turns} turns`,
    '',
    ...table(
      ['', 'CPU us', 'of bare fetch', 'target'],
      [
        ['through the client', whole(byClient), ratio.toFixed(2), target],
        ['by bare fetch', whole(byFetch), '', ''],
      ],
    ),
  ];
}
