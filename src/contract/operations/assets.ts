import type { Static } from 'typebox';
import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';

const define = defineFor('Assets');

/** At most 15 digits, so that every client can represent the chain id exactly. */
const ChainName = Type.String({
  pattern: '^eip155:[1-9][0-9]{0,14}$',
  description: 'The chain by its CAIP-2 name: `eip155:` and the chain id.',
  examples: ['eip155:1'],
  fault: 'must be "eip155:" and a chain id, such as "eip155:1"',
});

const Standard = s.choiceOf(['erc20', 'erc721', 'erc1155'], {
  description: 'The token standard of the contract.',
});

export const Asset = Type.Object(
  {
    id: s.AssetId,
    chain: ChainName,
    standard: Standard,
    contract: Type.String({ description: 'The contract’s address, with its EIP-55 checksum.' }),
    tokenId: s.nullable(
      Type.String({ description: 'The token of an ERC-1155 contract, as digits.' }),
    ),
    symbol: s.nullable(
      Type.String({
        description: 'As set by the realm; null if the contract’s own symbol is shown.',
      }),
    ),
  },
  { title: 'Asset' },
);

const example: Static<typeof Asset> = {
  id: 'founders-pass',
  chain: 'eip155:1',
  standard: 'erc721',
  contract: '0x52908400098527886E0F7030069857D2E4169EE7',
  tokenId: null,
  symbol: 'PASS',
};

export const listAssets = define({
  summary: 'List assets',
  description: 'All assets of the realm, ordered by id.',
  query: Type.Object(s.PageQuery),
  answer: s.listAnswer(Asset, example),
});

export const createAsset = define({
  summary: 'Create an asset',
  description:
    'Adds a token contract: from now on the web3 data of every member shows what their EVM ' +
    'wallets hold of it. This call does not read the chain. Whether the chain is configured and ' +
    'the contract exists shows in the web3 data.',
  body: {
    schema: Type.Object({
      id: s.AssetId,
      chain: ChainName,
      standard: Standard,
      contract: s.addressIn('The address of the contract.', { fault: 'must be an EVM address' }),
      ...s.optional({
        tokenId: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          pattern: '^(0|[1-9][0-9]{0,77})$',
          uint256: true,
          description:
            'The token of an ERC-1155 contract: an integer of at most 256 bits as a string of ' +
            'digits. Required for `erc1155`, not allowed otherwise.',
          examples: ['1'],
          fault: 'must be an integer from 0 to 2^256-1, as a string of digits',
        }),
        symbol: s.nullableSymbol(
          32,
          'The symbol to show; the contract’s own `symbol()` if absent.',
        ),
      }),
    }),
    example: {
      id: 'founders-pass',
      chain: 'eip155:1',
      standard: 'erc721',
      contract: '0x52908400098527886e0f7030069857d2e4169ee7',
      symbol: 'PASS',
    },
  },
  answer: s.created(Asset, example),
  problems: ['asset-exists', 'limit-reached'],
});

export const deleteAsset = define({
  summary: 'Delete an asset',
  description: 'Removes the asset from members’ web3 data. Its id can be reused.',
  answer: s.NO_CONTENT,
  problems: ['asset-not-found'],
});
