/**
 * A shop: the price is held while the order is delivered, then captured. If the delivery fails, the
 * points are free again; if the shop itself dies in between, the hold expires.
 *
 *     npx node examples/shop.ts 80351110224678912 hat
 */
import { isProblem } from '@realmkeep/client';
import { realm } from './realm.ts';

const PRICES = new Map([
  ['hat', 30],
  ['sword', 80],
  ['unicorn', 5],
]);

/** Stands for whatever takes time and may fail. */
async function deliver(article: string): Promise<void> {
  if (article === 'unicorn') throw new Error('there are no unicorns');
}

async function sell(buyer: string, article: string): Promise<string> {
  const price = PRICES.get(article);
  if (price === undefined) return `We sell ${[...PRICES.keys()].join(', ')}.`;
  const order = { description: `Order: ${article}`, expiresInSeconds: 600 };
  const { holdId } = await realm.member(buyer).hold(price, order);
  const hold = realm.hold(holdId);
  try {
    await deliver(article);
  } catch (error) {
    await hold.release();
    return `Not delivered (${error}). Nothing was paid.`;
  }
  const { newBalance } = await hold.capture();
  return `Delivered: ${article}, for ${price} points. ${newBalance} are left.`;
}

const [, , buyer = '', article = ''] = process.argv;
try {
  console.log(await sell(buyer, article));
} catch (error) {
  if (!isProblem(error, 'createHold')) throw error;
  console.log(`No sale. ${error.message}`);
}
