/** What nobody sees first: a part of the script that is loaded behind the rest. */

export { EventFilterDialog } from './activity/EventFilterDialog.tsx';
export { Claims } from './claims/Claims.tsx';
export { Discord } from './discord/Discord.tsx';
export { Integrity } from './Integrity.tsx';
export { Import } from './import/Import.tsx';
export { Keys } from './Keys.tsx';
export { LinkWallet } from './LinkWallet.tsx';
export { AwardDialog } from './many/AwardDialog.tsx';
export { FreezeManyDialog, PointsDialog, TagDialog } from './many/MemberDialogs.tsx';
export { FilterDialog } from './members/FilterDialog.tsx';
export { Offers } from './offers/Offers.tsx';
export { Points } from './Points.tsx';
export { Owners, People } from './people/People.tsx';
export { Sessions } from './Sessions.tsx';
export { Settings } from './Settings.tsx';
export { WalletCheck } from './WalletCheck.tsx';
export { Webhooks } from './webhooks/Webhooks.tsx';
