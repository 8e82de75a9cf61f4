export type * from './generated.ts';
export { operations } from './generated.ts';
export type { MemberHandle } from './member.ts';
export type {
  AssetHandle,
  HoldHandle,
  KeyHandle,
  KindHandle,
  TransactionHandle,
  WebhookHandle,
} from './nouns.ts';
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
export type { CallOptions, ClientOptions, Sent, WriteOptions } from './transport.ts';
export {
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookOptions,
  type WebhookRequest,
} from './webhook.ts';
