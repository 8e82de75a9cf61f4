import { enrolled } from '../members.ts';
import { Refusal } from '../refusal.ts';
import { toOne } from '../reply.ts';
import { ask } from '../steps.ts';
import { number, timestamp } from '../text/amounts.ts';
import { type Command, card } from './command.ts';

export const wallet: Command = {
  name: 'wallet',
  description: 'Link your wallet, by signing with it',
  shownTo: 'one',
  *answer(asked, texts) {
    const member = yield* enrolled(asked.person, asked.once, texts);
    const path = { memberID: member.id };
    const { url, expiresAt } = yield* ask('createWalletLink', path, { ...asked.once });
    // The link of an interaction that came again was shown already.
    if (url === null) throw new Refusal(texts.outdated);
    const lines = [texts.walletHow, texts.walletUntil(timestamp(expiresAt, 'R'))];
    const count = member.wallets.length;
    if (count > 0) lines.push(texts.walletsLinked(number(count, asked.locale)));
    return toOne({
      embeds: [card({ title: texts.wallet, description: lines.join('\n\n') })],
      components: [{ type: 1, components: [{ type: 2, style: 5, label: texts.walletOpen, url }] }],
    });
  },
};
