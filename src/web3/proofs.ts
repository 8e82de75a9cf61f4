import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import type { SignatureCheck } from '../domain/commands.ts';
import type { Address, Chain } from '../domain/model.ts';
import type { Hex } from './abi.ts';
import { fromBase58 } from './address-format.ts';
import { isBitcoinForm, isSignedByBitcoin, scriptOf } from './bitcoin-signature.ts';
import { within } from './bounds.ts';
import { isSignedByAccount, messageHash, signatureQuery } from './evm-signature.ts';
import type { RpcClient } from './rpc-client.ts';
import { failureOf, isCallFailure } from './rpc-client.ts';

/**
 * The client of a chain such as `eip155:1`, if it is configured. It must be of that very chain,
 * because the same address may have another owner on another one.
 */
export type ClientLookup = (network: string) => RpcClient | undefined;

interface SignedText {
  wallet: Address;
  /** The chain of a contract wallet: `eip155:<id>`. */
  network: string;
  message: string;
  signature: string;
}

const CHAIN_TIMEOUT_MS = 10_000;
/** The code of a contract that is never deployed: it returns 1. */
const RETURN_ONE = '0x600160005360016000f3';
const HEX = /^0x(?:[0-9a-fA-F]{2})+$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SOLANA_LENGTH = 64;
/** The most characters that 64 bytes take in base58 and in base64. */
const MAX_SOLANA_TEXT = 88;

/** Checks signatures: most of them locally, those of contract wallets on their chain. */
export function proofChecker(clientFor: ClientLookup) {
  return {
    /** Why a wallet cannot be proved, as the end of a sentence; null if it can. */
    walletFault,
    /** What is wrong with the form of a signature, as the end of a sentence. */
    signatureFault: ({ chain }: Address, signature: string): string | null =>
      signatureBytes(chain, signature) ? null : forms[chain],
    verify: async (text: SignedText): Promise<SignatureCheck> => {
      const { wallet, network, signature } = text;
      const bytes = signatureBytes(wallet.chain, signature);
      if (!bytes || RESERVED.test(wallet.key)) return 'no';
      if (holds(keyChecks[wallet.chain], text, bytes)) return 'by-key';
      const client = wallet.chain === 'eip155' ? clientFor(network) : undefined;
      return client ? within(CHAIN_TIMEOUT_MS, askChain(client, text), 'unavailable') : 'no';
    },
  };
}

/**
 * The zero address, the addresses that chains reserve for their own code (EIP-7587, and what
 * rollups add), and 0x…dEaD, where tokens are burnt. They have no key, and nobody can deploy a
 * contract there. But recovering a key from an invalid signature yields the zero address on chain,
 * so anybody could seem to have signed for it.
 */
const RESERVED = /^0x0{36}/;

function walletFault({ chain, key, address }: Address): string | null {
  if (RESERVED.test(key)) return 'is an address without a key, so nobody can prove it';
  if (chain !== 'bitcoin' || !['p2wsh', 'unknown'].includes(scriptOf(address).type)) return null;
  return 'is a Bitcoin script address, whose signatures cannot be checked; link it without a proof';
}

const forms: Record<Chain, string> = {
  eip155: 'must be 0x and an even number of hex digits',
  solana: 'must be 64 bytes in base58 or base64',
  bitcoin: 'must be base64: 65 bytes (BIP-137), or the simple form of BIP-322',
};

function signatureBytes(chain: Chain, text: string): Uint8Array | null {
  if (chain === 'eip155') return HEX.test(text) ? Buffer.from(text.slice(2), 'hex') : null;
  if (chain === 'bitcoin') return bitcoinBytes(text);
  if (text.length > MAX_SOLANA_TEXT) return null;
  const bytes = text.endsWith('=') ? fromBase64(text) : fromBase58(text);
  return bytes?.length === SOLANA_LENGTH ? bytes : null;
}

/** The simple form of BIP-322 has the prefix `smp`, which early signers left out. */
function bitcoinBytes(text: string): Uint8Array | null {
  const bytes = fromBase64(text.startsWith('smp') ? text.slice(3) : text);
  return bytes && isBitcoinForm(bytes) ? bytes : null;
}

const fromBase64 = (text: string): Uint8Array | null =>
  text !== '' && BASE64.test(text) ? Buffer.from(text, 'base64') : null;

type Check = (key: string, message: string, signature: Uint8Array) => boolean;

const keyChecks: Record<Chain, Check> = {
  eip155: isSignedByAccount,
  // RFC 8032, because ZIP-215 lets anybody sign for keys of small order.
  solana: (key, message, signature) =>
    ed25519.verify(signature, Buffer.from(message), base58.decode(key), { zip215: false }),
  bitcoin: isSignedByBitcoin,
};

function holds(check: Check, { wallet, message }: SignedText, signature: Uint8Array): boolean {
  try {
    return check(wallet.key, message, signature);
  } catch {
    // Malformed, or not a point of the curve.
    return false;
  }
}

/**
 * ERC-1271, or ERC-6492 before the contract is deployed. The chain id is checked again, because the
 * same address may have another owner on another chain.
 */
async function askChain(client: RpcClient, text: SignedText): Promise<SignatureCheck> {
  const { wallet, network, message } = text;
  const query = queryOf(wallet.key, message, text.signature as Hex);
  if (query === null) return 'no';
  const [chainId, answer] = await Promise.all([
    client.call({ method: 'eth_chainId' }),
    run(client, query).catch((error) => {
      if (isCallFailure(failureOf(error))) return 'failed';
      throw error;
    }),
  ]);
  if (network !== `eip155:${Number(chainId)}`) return 'unavailable';
  if (answer === '0x01') return 'by-contract';
  if (answer === '0x00') return 'no';
  // The query fails if a contract uses up its gas, which is no answer, and if the node is unable to
  // run anything at all.
  return (await run(client, RETURN_ONE)) === '0x01' ? 'no' : 'unavailable';
}

function queryOf(wallet: string, message: string, signature: Hex): Hex | null {
  try {
    return signatureQuery(wallet, messageHash(message), signature);
  } catch {
    return null;
  }
}

/** Runs code that is not deployed. */
const run = (client: RpcClient, data: Hex): Promise<unknown> =>
  client.call({ method: 'eth_call', params: [{ data }, 'latest'] });
