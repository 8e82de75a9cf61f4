import { isParameter } from '../../contract/validation.ts';
import { asIs, execute, type Handler, query } from '../calls.ts';
import { fewBody, pageRequest } from '../cursor.ts';
import { checkedAddress } from '../services.ts';

export const listAssets: Handler<'listAssets'> = async (call) => {
  const request = pageRequest(call, [], isParameter('assetId'));
  return { body: fewBody(await query(call, 'assets', {}), request, asIs) };
};

export const createAsset: Handler<'createAsset'> = (call) => {
  const { id, chain, standard, tokenId = null, symbol = null } = call.body;
  const { address: contract } = checkedAddress(call.services, call.body.contract);
  const asset = { id, chain, standard, contract, tokenId, symbol };
  return execute(call, 'asset.create', { asset }, asIs);
};

export const deleteAsset: Handler<'deleteAsset'> = (call) =>
  execute(call, 'asset.delete', { assetId: call.params.assetId }, asIs);
