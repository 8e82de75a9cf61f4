/**
 * A gate for members: lets wallets in that belong to one. With --verified, their owner must have
 * signed for them.
 *
 *     npx node examples/gate.ts --verified 0x52908400098527886E0F7030069857D2E4169EE7
 */
import { parseArgs } from 'node:util';
import { realm } from './realm.ts';

const { values, positionals: wallets } = parseArgs({
  allowPositionals: true,
  options: { verified: { type: 'boolean', default: false } },
});

const { results } = await realm.includes(wallets);
for (const { wallet, included, memberId, verified } of results) {
  const mayPass = included && (verified || !values.verified);
  console.log(mayPass ? `open   ${wallet} (member ${memberId})` : `closed ${wallet}`);
  if (!mayPass) process.exitCode = 1;
}
