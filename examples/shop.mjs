/** A shop: `npx node examples/shop.mjs <member> stickers` buys an offer; without it, lists all. */
import { isProblem } from '@realmkeep/client';
import { realm } from './realm.mjs';

const [, , buyer = '', article = ''] = process.argv;
try {
  const offers = article ? [] : realm.offers({ status: 'open' });
  for await (const { id, name, costs, isListed } of offers) {
    if (isListed && costs.points) console.log(`${id}: ${name}, ${costs.points} points`);
  }
  const bought = article && (await realm.offer(article).claim(buyer));
  if (bought) console.log(`Bought. ${bought.balances.points} points are left.`);
} catch (error) {
  console.log(isProblem(error) ? `No sale. ${error.message}` : error);
}
