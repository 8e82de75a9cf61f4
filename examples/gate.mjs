/**
 * A gate for members: lets wallets in that belong to one. With --verified, their owner must have
 * signed for them.
 *
 *     npx node examples/gate.mjs --verified 0x52908400098527886E0F7030069857D2E4169EE7
 */
import { realm } from './realm.mjs';

const [, , ...words] = process.argv;
const mustBeVerified = words.includes('--verified');
const wallets = words.filter((word) => word !== '--verified');
if (wallets.length === 0 || wallets.some((wallet) => wallet.startsWith('-'))) {
  console.error('Usage: npx node examples/gate.mjs [--verified] <wallet>...');
  process.exit(2);
}

const { results } = await realm.includes(wallets);
for (const { wallet, included, memberId, verified } of results) {
  const mayPass = included && (verified || !mustBeVerified);
  console.log(mayPass ? `open   ${wallet} (member ${memberId})` : `closed ${wallet}`);
  if (!mayPass) process.exitCode = 1;
}
