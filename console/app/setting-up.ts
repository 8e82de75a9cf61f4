/** The views that nobody sees first: a part of the script that is loaded behind the others. */

export { Discord } from '../views/discord/Discord.tsx';
export { Integrity } from '../views/Integrity.tsx';
export { Import } from '../views/import/Import.tsx';
export { Keys } from '../views/Keys.tsx';
export { Points } from '../views/Points.tsx';
export { Owners, People } from '../views/people/People.tsx';
export { Sessions } from '../views/Sessions.tsx';
export { Settings } from '../views/Settings.tsx';
export { WalletCheck } from '../views/WalletCheck.tsx';
export { Webhooks } from '../views/webhooks/Webhooks.tsx';
