import { enrolled } from '../members.ts';
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
    // The client has this operation soon.
    const link = yield* ask('createWalletLink' as 'getMember', path, { ...asked.once });
    const { url, expiresAt } = link as unknown as { url: string; expiresAt: string };
    const lines = [texts.walletHow, texts.walletUntil(timestamp(expiresAt, 'R'))];
    const count = member.wallets.length;
    if (count > 0) lines.push(texts.walletsLinked(number(count, asked.locale)));
    return toOne({
      embeds: [card({ title: texts.wallet, description: lines.join('\n\n') })],
      components: [{ type: 1, components: [{ type: 2, style: 5, label: texts.walletOpen, url }] }],
    });
  },
};
