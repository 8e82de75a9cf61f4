import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base58 } from '@scure/base';
import { messageHash } from '../../src/web3/evm-signature.ts';
import { define } from '../attack.ts';
import type { Attacker } from '../attacker.ts';
import { walletsOf } from './members.ts';

export const wrongSignatures = define({
  name: 'wrong-signatures',
  description: '64 clients prove wallets of theirs with signatures of other keys',
  full: { clients: 64 },
  short: { clients: 8 },
  prepare: (seeder) => seeder.members(2),
  run: async (attacker, { clients }) => {
    const first = Promise.withResolvers<void>();
    attacker.doesNotEndBefore(first.promise);
    const proofs = [await evmProof(attacker), await solanaProof(attacker)];
    const requests = proofs.map((proof, index) => {
      const body = [Buffer.from(JSON.stringify(proof))];
      return attacker.request('POST', attacker.path(`/members/${index + 1}/wallets`), { body });
    });
    let sent = 0;
    await attacker.clients(clients, (client) => {
      // One of the clients has had an answer.
      if (++sent > clients) first.resolve();
      return requests[client % 2] as (typeof requests)[0];
    });
  },
});

async function challenged(attacker: Attacker, memberId: number, address: string): Promise<string> {
  const path = `/members/${memberId}/wallets/challenge`;
  return (await attacker.call<{ message: string }>('POST', path, { address })).message;
}

async function evmProof(attacker: Attacker) {
  const [{ address = '' } = {}] = walletsOf(1, 1);
  const message = await challenged(attacker, 1, address);
  const { secretKey } = secp256k1.keygen();
  const options = { prehash: false, format: 'recovered' } as const;
  const [recovery = 0, ...rs] = secp256k1.sign(messageHash(message), secretKey, options);
  return {
    address,
    message,
    signature: `0x${Buffer.from([...rs, 27 + recovery]).toString('hex')}`,
  };
}

async function solanaProof(attacker: Attacker) {
  const address = base58.encode(ed25519.keygen().publicKey);
  const message = await challenged(attacker, 2, address);
  const { secretKey } = ed25519.keygen();
  const signature = base58.encode(ed25519.sign(Buffer.from(message), secretKey));
  return { address, message, signature };
}
