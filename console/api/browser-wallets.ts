/** A wallet in the browser: an extension, or the browser of a wallet's app. */
export interface BrowserWallet {
  name: string;
  /** Asks its owner, who may refuse. `chain` as the service takes it. */
  connect(): Promise<{ address: string; chain?: string }>;
  sign(message: string, address: string): Promise<string>;
}

interface Ethereum {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

interface Solana {
  connect(): Promise<{ publicKey: { toString(): string } }>;
  signMessage(message: Uint8Array, display: 'utf8'): Promise<{ signature: Uint8Array }>;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const ofEthereum = (ethereum: Ethereum): BrowserWallet => ({
  name: 'Ethereum',
  async connect() {
    const [address = ''] = (await ethereum.request({ method: 'eth_requestAccounts' })) as string[];
    const chainId = Number(await ethereum.request({ method: 'eth_chainId' }));
    // A contract wallet is one on its own chain only.
    return { address, chain: `eip155:${chainId || 1}` };
  },
  async sign(message, address) {
    const bytes = Array.from(utf8(message), (byte) => byte.toString(16).padStart(2, '0'));
    const params = [`0x${bytes.join('')}`, address];
    return String(await ethereum.request({ method: 'personal_sign', params }));
  },
});

const ofSolana = (solana: Solana): BrowserWallet => ({
  name: 'Solana',
  connect: async () => ({ address: (await solana.connect()).publicKey.toString() }),
  sign: async (message) =>
    btoa(String.fromCharCode(...(await solana.signMessage(utf8(message), 'utf8')).signature)),
});

/** Those that the browser offers to pages. */
export function browserWallets(): BrowserWallet[] {
  const { ethereum, solana } = globalThis as { ethereum?: Ethereum; solana?: Solana };
  return [...(ethereum ? [ofEthereum(ethereum)] : []), ...(solana ? [ofSolana(solana)] : [])];
}
