import { enrolled } from '../members.ts';
import { Refusal } from '../refusal.ts';
import { card, row, toOne } from '../reply.ts';
import { ask } from '../steps.ts';
import { ago } from '../text/words.ts';
import type { Command } from './command.ts';

export const wallet: Command = {
  name: 'wallet',
  description: 'Link your wallet, by signing with it',
  shownTo: 'one',
  *answer(use) {
    const { texts, words, once } = use;
    const { id, wallets } = yield* enrolled(use);
    const { url, expiresAt } = yield* ask('createWalletLink', { memberID: id }, { ...once });
    // The link of an interaction that came again was shown already.
    if (url === null) throw new Refusal(texts.outdated);
    const lines = [texts.walletHow, texts.walletUntil(ago(expiresAt))];
    if (wallets.length > 0) lines.push(texts.walletsLinked(words.number(wallets.length)));
    const open = row({ type: 2, style: 5, label: texts.walletOpen, url });
    return toOne(card(lines.join('\n\n'), { title: texts.wallet }, [open]));
  },
};
