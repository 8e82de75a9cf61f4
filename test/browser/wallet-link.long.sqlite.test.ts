import assert from 'node:assert/strict';
import { serviceForFile } from '../support/service.ts';
import { evmSigner } from '../support/signers.ts';
import { browse, browserForFile } from './browse.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const acme = await service.realm('acme');
await acme.member('1', 0, { displayName: 'Ann' });
const browser = browserForFile();

const newLink = async (): Promise<string> =>
  (await acme.expect(201, 'POST', '/members/1/wallet-link')).json.url;

/** What an extension of the browser offers to pages; the key is here. */
async function withWallet(reader: Reader, { address, sign } = evmSigner()) {
  const answer = ({ method, params = [] }: { method: string; params?: string[] }) => {
    if (method === 'eth_requestAccounts') return [address];
    if (method === 'eth_chainId') return '0x1';
    return sign(Buffer.from(String(params[0]).slice(2), 'hex').toString());
  };
  await reader.page.exposeFunction('askWallet', answer);
  await reader.page.addInitScript('globalThis.ethereum = { request: (call) => askWallet(call) }');
  await reader.page.reload();
}

const walletsOf = async () => (await acme.expect(200, 'GET', '/web3/members/1')).json.wallets;

browse(
  'a member signs in the browser, or pastes a signature, and the link is used up',
  async () => {
    const link = await newLink();
    const ann = await Reader.open(browser(), link);
    await withWallet(ann);
    await ann.page.getByText('For Ann in acme').waitFor();
    await inEveryLook(ann, 'the page of a wallet link');
    await ann.press('Sign with your Ethereum wallet');
    await ann.page.getByText('Your wallet is linked').waitFor();
    assert.deepEqual(
      (await walletsOf()).map(({ verified }: { verified: boolean }) => verified),
      [true],
    );
    await ann.page.reload();
    await ann.page.getByText('This link does not work').waitFor();
    await ann.leave();

    const { address, sign } = evmSigner();
    const again = await Reader.open(browser(), await newLink());
    await again.page.getByLabel('Address').fill(address);
    const opened = again.page.waitForResponse((answer) => answer.url().endsWith('/open'));
    await again.press('Get the text to sign');
    const { message } = await (await opened).json();
    await again.page.getByLabel('Signature of this text').fill(sign(message));
    await again.press('Link the wallet');
    await again.page.getByText('Your wallet is linked').waitFor();
    assert.equal((await walletsOf()).length, 2);
    await again.leave();
  },
);
