import type { CommandOf, TargetCheck, WebhookFields } from '../commands.ts';
import type { Records } from '../records.ts';
import { present, Refused, refuseBeyond } from '../refusal.ts';
import { MAX_WEBHOOKS, type PauseReason, type Webhook, type WebhookRow } from '../webhook.ts';
import type { Books } from './books.ts';
import { iso } from './time.ts';
import { progressOf, webhookView } from './views.ts';

/** The first event that it is sent is the one after its own record. */
export function createWebhook(books: Books, command: CommandOf<'webhook.create'>): Webhook {
  const { newWebhook, url, types, description, target } = command;
  refuseTarget(target);
  refuseBeyond(MAX_WEBHOOKS, books.webhooks.size, 'webhooks in a realm');
  const { id: webhookId } = newWebhook;
  const origin = originOf(url);
  const seq = books.record('webhook.created', { webhookId, origin, types, description });
  const row = put(books, {
    ...newWebhook,
    url,
    types,
    description,
    createdAt: books.now,
    updatedAt: books.now,
    pausedAt: null,
    pauseReason: null,
    previousSecret: null,
    previousUntil: null,
    startSeq: seq,
    startAfter: seq,
    progressOf: null,
    position: null,
    attempts: null,
    failingSince: null,
    nextAt: null,
    leaseOwner: null,
    leaseUntil: null,
  });
  return webhookView(row);
}

export function updateWebhook(books: Books, command: CommandOf<'webhook.update'>): Webhook {
  const { webhookId, fields, paused, target } = command;
  let row = find(books, webhookId);
  const changed = changedFields(row, fields);
  if (changed.origin !== undefined) refuseTarget(target);
  if (Object.keys(changed).length > 0) {
    const seq = books.record('webhook.updated', { webhookId, ...changed });
    const next = { ...row, ...fields };
    // The failures of the old URL say nothing about the new one.
    row = put(books, changed.origin === undefined ? next : started(next, seq, positionOf(row)));
  }
  if (paused === true && row.pausedAt === null) row = pause(books, row, 'requested');
  if (paused === false && row.pausedAt !== null) {
    const seq = books.record('webhook.resumed', { webhookId });
    const next = { ...row, pausedAt: null, pauseReason: null };
    row = put(books, started(next, seq, positionOf(row)));
  }
  return webhookView(row);
}

/** The old secret signs as well during the overlap, so that the receiver can switch meanwhile. */
export function rotateWebhook(books: Books, command: CommandOf<'webhook.rotate'>): Webhook {
  const { newWebhook, overlapSeconds } = command;
  const old = find(books, newWebhook.id);
  const previousUntil = books.now + overlapSeconds * 1000;
  books.record('webhook.rotated', { webhookId: old.id, overlapUntil: iso(previousUntil) });
  const previousSecret = old.secret;
  return webhookView(put(books, { ...old, ...newWebhook, previousSecret, previousUntil }));
}

/** Sends events again, from one that the journal has already, or the next one. */
export function replayWebhook(books: Books, command: CommandOf<'webhook.replay'>): Webhook {
  const { webhookId, fromSeq } = command;
  const row = find(books, webhookId);
  if (fromSeq > books.seq + 1) {
    throw new Refused('replay-beyond-end', { fromSeq, lastSeq: books.seq });
  }
  const seq = books.record('webhook.replayed', { webhookId, fromSeq });
  return webhookView(put(books, started(row, seq, fromSeq - 1)));
}

export function deleteWebhook(books: Books, { webhookId }: CommandOf<'webhook.delete'>): null {
  find(books, webhookId);
  books.webhooks.set(webhookId, null);
  books.record('webhook.deleted', { webhookId });
  return null;
}

export function pauseWebhook(books: Books, command: CommandOf<'webhook.pause'>): null {
  const row = books.webhooks.get(command.webhookId);
  const isSame = row?.startSeq === command.startSeq && row.pausedAt === null;
  if (row && isSame) pause(books, row, command.reason);
  return null;
}

function pause(books: Books, row: WebhookRow, reason: PauseReason): WebhookRow {
  books.record('webhook.paused', { webhookId: row.id, reason });
  return put(books, { ...row, pausedAt: books.now, pauseReason: reason });
}

/** The webhook as a record starts it: whatever failed before counts no more. */
const started = (row: WebhookRow, startSeq: number, startAfter: number): WebhookRow => ({
  ...row,
  startSeq,
  startAfter,
});

const positionOf = (row: WebhookRow): number => progressOf(row).position;

/** Whether a webhook for these types is sent an event of this one. */
export const isWanted = (types: readonly string[], type: string): boolean =>
  types.length === 0 ||
  types.some(
    (each) => each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))),
  );

/** Whether a receiver has accepted an event, by the status of its answer. */
export const isAccepted = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

function put(books: Books, row: WebhookRow): WebhookRow {
  const next = { ...row, updatedAt: books.now };
  books.webhooks.set(row.id, next);
  return next;
}

const find = (books: Books, webhookId: string): WebhookRow =>
  present(books.webhooks.get(webhookId), 'webhook-not-found', { webhookId });

function refuseTarget(target: TargetCheck): void {
  if (target !== 'allowed') throw new Refused('webhook-target-refused', { error: target });
}

/** A changed URL shows as its origin, even if that is the same. */
function changedFields(
  row: WebhookRow,
  { url = row.url, types = row.types, description = row.description }: Partial<WebhookFields>,
): Omit<Records['webhook.updated'], 'webhookId'> {
  return {
    ...(url !== row.url && { origin: originOf(url) }),
    ...(types.join() !== row.types.join() && { types }),
    ...(description !== row.description && { description }),
  };
}

/** URLs are stored as the parser writes them, so the origin is all before the path. */
const originOf = (url: string): string => url.split('/', 3).join('/');
