import { created, defineFor, NO_CONTENT } from '../operation.ts';
import { pagesOf } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Assets');

const fields = {
  id: s.AssetId,
  /** At most 15 digits, so that every client can represent the chain id exactly. */
  chain: Type.String({
    pattern: '^eip155:[1-9][0-9]{0,14}$',
    description: 'The chain by its CAIP-2 name: `eip155:` and the chain id.',
    examples: ['eip155:1'],
    fault: 'must be "eip155:" and a chain id, such as "eip155:1"',
  }),
  standard: s.choiceOf(['erc20', 'erc721', 'erc1155'], {
    description: 'The token standard of the contract.',
    examples: ['erc721'],
  }),
};

const CONTRACT = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

export const Asset = named('Asset', {
  ...fields,
  contract: s.text('The contract’s address, with its EIP-55 checksum.', CONTRACT),
  tokenId: s.nullable(s.text('The token of an ERC-1155 contract, as digits.')),
  symbol: s.nullable(
    s.text('As set by the realm; null if the contract’s own symbol is shown.', 'PASS'),
  ),
});

export const listAssets = define({
  summary: 'List assets',
  description: 'All assets of the realm, ordered by id.',
  ...pagesOf(Asset),
});

export const createAsset = define({
  summary: 'Create an asset',
  description:
    'Adds a token contract: from now on the web3 data of every member shows what their EVM ' +
    'wallets hold of it. This call does not read the chain. Whether the chain is configured and ' +
    'the contract exists shows in the web3 data.',
  body: Type.Object({
    ...fields,
    contract: s.addressIn('The address of the contract.', { fault: 'must be an EVM address' }),
    ...s.optional({
      tokenId: s.nullable(
        Type.String({
          pattern: '^(0|[1-9][0-9]{0,77})$',
          uint256: true,
          description:
            'The token of an ERC-1155 contract: an integer of at most 256 bits as a string of ' +
            'digits. Required for `erc1155`, not allowed otherwise.',
          examples: ['1'],
          fault: 'must be an integer from 0 to 2^256-1, as a string of digits',
        }),
      ),
      symbol: s.nullable(
        s.visibleIn(32, 'The symbol to show; the contract’s own `symbol()` if absent.', 'PASS'),
      ),
    }),
  }),
  example: {
    id: 'founders-pass',
    chain: 'eip155:1',
    standard: 'erc721',
    contract: CONTRACT.toLowerCase(),
    symbol: 'PASS',
  },
  answer: created(Asset),
  problems: ['asset-exists', 'limit-reached'],
});

export const deleteAsset = define({
  summary: 'Delete an asset',
  description: 'Removes the asset from members’ web3 data. Its id can be reused.',
  answer: NO_CONTENT,
});
