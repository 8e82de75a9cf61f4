import type { CommandOf } from '../commands.ts';
import { type Asset, MAX_ASSETS } from '../model.ts';
import { Refused, refuseBeyond } from '../refusal.ts';
import type { Books } from './books.ts';

/** Several assets may refer to the same contract. */
export function createAsset(books: Books, { asset }: CommandOf<'asset.create'>): Asset {
  if (books.assets.get(asset.id)) throw new Refused('asset-exists', { assetId: asset.id });
  refuseBeyond(MAX_ASSETS, books.assets.size, 'assets in a realm');
  books.assets.set(asset.id, asset);
  books.record('asset.created', { ...asset });
  return asset;
}

/** The id becomes free again, for the same contract or another. */
export function deleteAsset(books: Books, { assetId }: CommandOf<'asset.delete'>): null {
  const asset = books.assets.get(assetId);
  if (!asset) throw new Refused('asset-not-found', { assetId });
  books.assets.set(assetId, null);
  books.record('asset.deleted', { ...asset });
  return null;
}
