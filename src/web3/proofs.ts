import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import type { PublicClient } from 'viem';
import type { SignatureCheck } from '../domain/commands.ts';
import type { Address } from '../domain/model.ts';
import { scriptOf } from './bitcoin-script.ts';
import { isBitcoinForm, isSignedByBitcoin } from './bitcoin-signature.ts';
import { isSignedByAccount } from './evm-signature.ts';

/** What is asked of a chain about a contract wallet. */
export type ChainClient = Pick<PublicClient, 'verifyMessage' | 'getChainId' | 'call'>;

/**
 * The client of a chain such as `eip155:1`, if the service is connected to it. It must be of that
 * very chain, because the same address may have another owner elsewhere.
 */
export type ClientLookup = (network: string) => ChainClient | undefined;

export interface SignedText {
  wallet: Address;
  /** Where a contract wallet is to be asked: `eip155:<id>`. */
  network: string;
  message: string;
  signature: string;
}

const CHAIN_PATIENCE_MS = 10_000;
/** Code for a contract that is never deployed: all it does is to answer 1. */
const ANSWERS_ONE = '0x600160005360016000f3';
const HEX = /^0x(?:[0-9a-fA-F]{2})+$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SOLANA_LENGTH = 64;

/** Checks signatures: most by themselves, those of contract wallets by asking their chain. */
export function proofChecker(clientFor: ClientLookup) {
  return {
    /** Why a wallet can prove nothing, as the end of a sentence; null when it can. */
    walletFault,
    /** What is wrong with the form of a signature, likewise. */
    signatureFault: ({ chain }: Address, signature: string): string | null =>
      signatureBytes(chain, signature) ? null : forms[chain],
    verify: (text: SignedText): Promise<SignatureCheck> => verify(text, clientFor),
  };
}

/**
 * The zero address, those that chains keep for code of their own (EIP-7587, and what rollups add),
 * and 0x…dEaD, where tokens are burnt. No key has them, and no caller's code can be put there. But
 * recovering a key from nonsense gives the zero address: a chain says of it that anybody signed.
 */
const RESERVED = /^0x0{36}/;

function walletFault({ chain, key, address }: Address): string | null {
  if (chain === 'eip155' && RESERVED.test(key)) {
    return 'is an address that nobody has a key for, so nobody can prove it';
  }
  if (chain !== 'bitcoin' || !['p2wsh', 'unknown'].includes(scriptOf(address).type)) return null;
  return 'is a Bitcoin script address, whose signatures cannot be checked; link it without a proof';
}

const forms: Record<Address['chain'], string> = {
  eip155: 'must be 0x and an even number of hex digits',
  solana: 'must be 64 bytes in base58 or base64',
  bitcoin: 'must be base64: 65 bytes (BIP-137), or the simple form of BIP-322',
};

function signatureBytes(chain: Address['chain'], text: string): Uint8Array | null {
  if (chain === 'eip155') return HEX.test(text) ? Buffer.from(text.slice(2), 'hex') : null;
  if (chain === 'bitcoin') return bitcoinBytes(text);
  const bytes = text.endsWith('=') ? fromBase64(text) : fromBase58(text);
  return bytes?.length === SOLANA_LENGTH ? bytes : null;
}

/** The simple form of BIP-322 says so in front, but early signers did not. */
function bitcoinBytes(text: string): Uint8Array | null {
  const bytes = fromBase64(text.startsWith('smp') ? text.slice(3) : text);
  return bytes && isBitcoinForm(bytes) ? bytes : null;
}

const fromBase64 = (text: string): Uint8Array | null =>
  text !== '' && BASE64.test(text) ? Buffer.from(text, 'base64') : null;

function fromBase58(text: string): Uint8Array | null {
  // Decoding takes time quadratic in the length; 64 bytes never need more letters than this.
  return text.length <= 88 && /^[1-9A-HJ-NP-Za-km-z]+$/.test(text) ? base58.decode(text) : null;
}

async function verify(text: SignedText, clientFor: ClientLookup): Promise<SignatureCheck> {
  const { wallet, network, message, signature } = text;
  const bytes = signatureBytes(wallet.chain, signature);
  if (!bytes) return 'no';
  if (wallet.chain === 'bitcoin') return verdict(isSignedByBitcoin(wallet.key, message, bytes));
  if (wallet.chain === 'solana') return verdict(isSignedBySolana(wallet.key, message, bytes));
  if (RESERVED.test(wallet.key)) return 'no';
  if (isSignedByAccount(wallet.key, message, bytes)) return 'by-key';
  const client = clientFor(network);
  return client ? await askContract(client, text) : 'no';
}

const verdict = (cacheValid: boolean): SignatureCheck => (cacheValid ? 'by-key' : 'no');

function isSignedBySolana(address: string, message: string, signature: Uint8Array): boolean {
  try {
    // By RFC 8032, not ZIP-215, which lets anybody sign for keys of small order.
    const options = { zip215: false };
    return ed25519.verify(signature, Buffer.from(message), base58.decode(address), options);
  } catch {
    return false;
  }
}

async function askContract(client: ChainClient, text: SignedText): Promise<SignatureCheck> {
  try {
    return await within(CHAIN_PATIENCE_MS, askChain(client, text));
  } catch {
    return 'unavailable';
  }
}

/**
 * ERC-1271, or ERC-6492 before the contract is there. Asked again which chain it is, because the
 * same address may have another owner elsewhere. And the client says "no" also when the chain did
 * not answer, so a "no" counts only if the chain answers a question of the same kind.
 */
async function askChain(client: ChainClient, text: SignedText): Promise<SignatureCheck> {
  const { wallet, network, message } = text;
  const address = wallet.address as `0x${string}`;
  const signature = text.signature as `0x${string}`;
  const [chainId, cacheValid] = await Promise.all([
    client.getChainId(),
    client.verifyMessage({ address, message, signature }),
  ]);
  if (network !== `eip155:${chainId}`) return 'unavailable';
  if (cacheValid) return 'by-contract';
  const { data } = await client.call({ data: ANSWERS_ONE });
  return data === '0x01' ? 'no' : 'unavailable';
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the chain took too long')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
