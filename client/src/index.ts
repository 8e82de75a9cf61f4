export type * from './generated.ts';
export { operations } from './generated.ts';
export type { MemberHandle } from './member.ts';
export type {
  AssetHandle,
  ClaimHandle,
  HoldHandle,
  KeyHandle,
  KindHandle,
  OfferHandle,
  PersonHandle,
  TransactionHandle,
  WebhookHandle,
} from './nouns.ts';
export type { OwnerHandle } from './owner.ts';
export type { Pages } from './pages.ts';
export {
  type CodeOf,
  isProblem,
  type Problem,
  type ProblemCode,
  RealmkeepError,
} from './problem.ts';
export type { RealmHandle } from './realm.ts';
export { Realmkeep } from './realmkeep.ts';
export type { StreamOptions } from './stream.ts';
export type { CallOptions, ChangeOptions, ClientOptions, Sent, WriteOptions } from './transport.ts';
export {
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookOptions,
  type WebhookRequest,
} from './webhook.ts';
