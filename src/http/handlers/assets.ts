import type { Asset } from '../../domain/model.ts';
import {
  type Addresses,
  type Call,
  carryOut,
  checkedAddress,
  envelope,
  type Handler,
  requireRealm,
} from '../calls.ts';
import { page, walkOf } from '../cursor.ts';

export const listAssets: Handler<'listAssets'> = async (call, services) => {
  const walk = walkOf(call, {}, (key) => key !== '');
  const assets = await services.ledger.query('assets', { realmId: call.params.realmID });
  if (assets.length === 0) await requireRealm(call, services);
  // There are 50 at most, in the order of their ids: the page is cut from all of them.
  const { after } = walk;
  const rest = after === null ? assets : assets.filter(({ id }) => id > after);
  const keyOf = ({ id }: Asset) => id;
  return { body: page(rest, walk, keyOf, (asset) => asset) };
};

export const createAsset: Handler<'createAsset'> = async (call, { ledger, addresses }) => {
  const asset = askedAsset(call.body, addresses);
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'asset.create',
    asset,
  });
  return { body: answer, replayed };
};

export const deleteAsset: Handler<'deleteAsset'> = async (call, { ledger }) => {
  const { assetId } = call.params;
  await carryOut(ledger, { ...envelope(call), type: 'asset.delete', assetId });
  return { body: null };
};

function askedAsset(body: Call<'createAsset'>['body'], addresses: Addresses): Asset {
  const { id, chain, standard, tokenId = null, symbol = null } = body;
  const { address: contract } = checkedAddress(addresses, body.contract);
  return { id, chain, standard, contract, tokenId, symbol };
}
