import { isParameter } from '../../contract/validation.ts';
import { pageOfSmall } from '../../domain/rules/pages.ts';
import { asIs, execute, type Handler, query } from '../calls.ts';
import { listBody, pageRequest } from '../cursor.ts';
import { checkedAddress } from '../services.ts';

export const listAssets: Handler<'listAssets'> = async (call) => {
  const request = pageRequest(call, [], isParameter('assetId'));
  const { after, limit } = request;
  const assets = await query(call, 'assets', {});
  // A realm has at most 50, already in the order of their ids: no query for a page is needed.
  const rest = after === null ? assets : assets.filter(({ id }) => id > after);
  return { body: listBody(pageOfSmall(rest, limit), request, ({ id }) => id, asIs) };
};

export const createAsset: Handler<'createAsset'> = (call) => {
  const { id, chain, standard, tokenId = null, symbol = null } = call.body;
  const { address: contract } = checkedAddress(call.services, call.body.contract);
  const asset = { id, chain, standard, contract, tokenId, symbol };
  return execute(call, 'asset.create', { asset }, asIs);
};

export const deleteAsset: Handler<'deleteAsset'> = (call) =>
  execute(call, 'asset.delete', { assetId: call.params.assetId }, asIs);
