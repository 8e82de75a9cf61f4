import type { CommandOf } from '../commands.ts';
import { type Asset, MAX_ASSETS } from '../model.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';

/** Two ids may name one contract: they are two names for the same, and do no harm. */
export function createAsset(books: Books, { asset }: CommandOf<'asset.create'>): Asset {
  if (books.assets.get(asset.id)) throw new Refused('asset-exists', { assetId: asset.id });
  if ([...books.assets.values()].length >= MAX_ASSETS) {
    throw new Refused('limit-reached', { limit: MAX_ASSETS, of: 'assets in a realm' });
  }
  books.assets.set(asset.id, asset);
  books.record('asset.created', { ...asset });
  return asset;
}

/** An id that was deleted may be taken again, for the same contract or another. */
export function deleteAsset(books: Books, { assetId }: CommandOf<'asset.delete'>): null {
  const asset = books.assets.get(assetId);
  if (!asset) throw new Refused('asset-not-found', { assetId });
  books.assets.set(assetId, null);
  books.record('asset.deleted', { ...asset });
  return null;
}
