import { invalidRequest, type RequestFault } from '../../contract/problems.ts';
import type { Asset } from '../../domain/model.ts';
import {
  type Addresses,
  type Call,
  carryOut,
  envelope,
  type Handler,
  requireRealm,
} from '../calls.ts';

export const listAssets: Handler<'listAssets'> = async (call, services) => {
  const assets = await services.keeper.ask('assets', { realmId: call.params.realmID });
  if (assets.length === 0) await requireRealm(call, services);
  return { body: { items: assets, nextCursor: null } };
};

export const createAsset: Handler<'createAsset'> = async (call, { keeper, addresses }) => {
  const asset = askedAsset(call.body, addresses);
  const { answer, replayed } = await carryOut(keeper, {
    ...envelope(call),
    type: 'asset.create',
    asset,
  });
  return { body: answer, replayed };
};

export const deleteAsset: Handler<'deleteAsset'> = async (call, { keeper }) => {
  const { assetId } = call.params;
  await carryOut(keeper, { ...envelope(call), type: 'asset.delete', assetId });
  return { body: null };
};

/** What the schema cannot say: the checksum of the contract, and which standard has token ids. */
function askedAsset(body: Call<'createAsset'>['body'], addresses: Addresses): Asset {
  const { id, chain, standard, tokenId = null, symbol = null } = body;
  const contract = addresses.parse(body.contract, 'eip155');
  const faults: RequestFault[] = [];
  if ('fault' in contract) faults.push({ pointer: '/contract', detail: contract.fault });
  if (standard === 'erc1155' && tokenId === null) {
    faults.push({ pointer: '/tokenId', detail: 'is required where "standard" is "erc1155"' });
  }
  if (standard !== 'erc1155' && tokenId !== null) {
    faults.push({ pointer: '/tokenId', detail: 'must be absent unless "standard" is "erc1155"' });
  }
  if ('fault' in contract || faults.length > 0) throw invalidRequest(faults);
  return { id, chain, standard, contract: contract.address, tokenId, symbol };
}
