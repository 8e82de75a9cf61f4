export const MAX_WEBHOOKS = 20;

/** The newest deliveries of a webhook that are kept. */
export const MAX_DELIVERIES = 200;

/** Why a webhook is paused: an admin asked for it, the receiver said 410, or failed for days. */
export type PauseReason = 'requested' | 'gone' | 'failing';

interface WebhookSettings {
  id: string;
  url: string;
  /** The types that are sent, where `points.*` stands for all that begin so; none for all types. */
  types: string[];
  description: string | null;
  createdAt: number;
  updatedAt: number;
  pausedAt: number | null;
  pauseReason: PauseReason | null;
  /** Until when the secret before the last rotation signs as well. */
  previousUntil: number | null;
}

/** How far the sender of a webhook is: no journal records it. */
export interface WebhookProgress {
  /** The `seq` of the last event that was delivered or skipped. */
  position: number;
  /** Failed attempts to deliver the next event, and since when. */
  attempts: number;
  failingSince: number | null;
  /** When the next attempt is due; 0 for at once. */
  nextAt: number;
}

export interface Webhook extends WebhookSettings, WebhookProgress {
  /** The id of the key that its secret is sealed with. */
  sealedBy: string;
}

type Stored<T> = { [Name in keyof T]: T[Name] | null };

export interface WebhookRow extends WebhookSettings, Stored<WebhookProgress> {
  /** The `startSeq` that the progress belongs to; of an earlier one, it is void. */
  progressOf: number | null;
  /** Its secret and the one before the last rotation, sealed: only the service can open them. */
  secret: string;
  previousSecret: string | null;
  /** The record that last started it: it is sent the events after `startAfter`. */
  startSeq: number;
  startAfter: number;
  /** The process that sends for it, and until when. */
  leaseOwner: string | null;
  leaseUntil: number | null;
}

/** A webhook that a process sends for, with the end of its realm's journal. */
export type LeasedWebhook = WebhookRow & { realmId: string; lastSeq: number };

export interface WebhookReport extends WebhookProgress {
  realmId: string;
  webhookId: string;
  /** The `startSeq` of the webhook that it was done for. */
  progressOf: number;
  deliveries: Delivery[];
}

export interface Delivery {
  webhookId: string;
  /** Larger for later ones of a webhook. */
  id: number;
  seq: number;
  type: string;
  /** 1 for the first attempt. */
  attempt: number;
  at: number;
  latencyMs: number;
  /** The HTTP status; null if there was no complete answer. */
  status: number | null;
  /** The first 1 KiB of the answer. */
  answer: string | null;
  error: DeliveryError | null;
}

/** Why there was no complete answer. */
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

export const DELIVERY_ERRORS = [
  'timeout',
  'refused-target',
  'name-not-resolved',
  'connection-failed',
  'tls-failed',
  'invalid-answer',
] as const;

/** What records say of a webhook. */
export interface WebhookPayload {
  webhookId: string;
}

export interface WebhookDetails {
  /** Scheme, host and port of the URL. */
  origin: string;
  /** None for all. */
  types: string[];
  description: string | null;
}
