import type { WebhookRow } from '../domain/webhook.ts';
import type { SecretBox } from './secret-box.ts';

/** What a secret is sealed for. */
export const ownerOf = (realmId: string, webhookId: string): string => `${realmId}/${webhookId}`;

type Secrets = Pick<WebhookRow, 'id' | 'secret' | 'previousSecret' | 'previousUntil'>;

/** The secrets that sign at this instant, as far as they can be opened: the current one first. */
export function secretsOf(box: SecretBox, realmId: string, row: Secrets, now: number): string[] {
  const { secret, previousSecret, previousUntil } = row;
  const isOverlap = previousUntil !== null && now < previousUntil;
  const sealed = isOverlap && previousSecret !== null ? [secret, previousSecret] : [secret];
  const owner = ownerOf(realmId, row.id);
  return sealed.flatMap((each) => box.open(each, owner) ?? []);
}
