import {
  DEFAULT_OVERLAP_SECONDS,
  deliveryBody,
  webhookBody,
} from '../../contract/operations/webhooks.ts';
import { isParameter } from '../../contract/validation.ts';
import { randomText } from '../../domain/key-format.ts';
import { webhookView } from '../../domain/rules/views.ts';
import { isAccepted } from '../../domain/rules/webhooks.ts';
import type { Webhook } from '../../domain/webhook.ts';
import {
  type AnyCall,
  asIs,
  type Call,
  execute,
  type Handler,
  notFound,
  pick,
  query,
} from '../calls.ts';
import { fewBody, listBody, pageRequest } from '../cursor.ts';

const ID_LENGTH = 12;

export const createWebhook: Handler<'createWebhook'> = async (call) => {
  const { webhooks } = call.services;
  const { types, description = null } = call.body;
  const url = normalised(call.body.url);
  const id = randomText(ID_LENGTH);
  const { secret, sealed } = webhooks.issueSecret(call.params.realmID, id);
  const target = await webhooks.targets.check(url);
  const newWebhook = { id, secret: sealed };
  const fields = { url, types: types ?? [], description };
  const webhook = { newWebhook, ...fields, target };
  const answer = await change(call, 'webhook.create', webhook, bodyIn(call));
  return { ...answer, body: { ...answer.body, secret: answer.replayed ? null : secret } };
};

export const listWebhooks: Handler<'listWebhooks'> = async (call) => {
  const request = pageRequest(call, [], isParameter('webhookID'));
  return { body: fewBody(await query(call, 'webhooks', {}), request, bodyIn(call)) };
};

export const getWebhook: Handler<'getWebhook'> = async (call) => ({
  body: bodyIn(call)(webhookView(await find(call))),
});

export const updateWebhook: Handler<'updateWebhook'> = async (call) => {
  const { url, types } = call.body;
  const target = url === undefined ? 'allowed' : await call.services.webhooks.targets.check(url);
  const fields = {
    ...pick(call.body, 'description'),
    ...(url !== undefined && { url: normalised(url) }),
    ...(types !== undefined && { types: types ?? [] }),
  };
  const webhookId = call.params.webhookID;
  const update = { webhookId, fields, ...pick(call.body, 'paused'), target };
  return change(call, 'webhook.update', update, bodyIn(call));
};

export const deleteWebhook: Handler<'deleteWebhook'> = (call) =>
  change(call, 'webhook.delete', { webhookId: call.params.webhookID }, asIs);

export const rotateWebhook: Handler<'rotateWebhook'> = async (call) => {
  const { realmID: realmId, webhookID: id } = call.params;
  const { secret, sealed } = call.services.webhooks.issueSecret(realmId, id);
  const overlapSeconds = call.body?.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
  const rotation = { newWebhook: { id, secret: sealed }, overlapSeconds };
  const answer = await change(call, 'webhook.rotate', rotation, bodyIn(call));
  return { ...answer, body: { ...answer.body, secret: answer.replayed ? null : secret } };
};

export const testWebhook: Handler<'testWebhook'> = async (call) => {
  const webhook = await find(call);
  const outcome = await call.services.webhooks.test(call.params.realmID, webhook);
  const { status, latencyMs, answer, error } = outcome ?? unreadable(webhook.id);
  return { body: { delivered: isAccepted(status), status, latencyMs, answer, error } };
};

export const replayWebhook: Handler<'replayWebhook'> = (call) => {
  const replay = { webhookId: call.params.webhookID, fromSeq: call.body.fromSeq };
  return change(call, 'webhook.replay', replay, bodyIn(call));
};

/** They are made from instants, so they have more digits than numbers of records. */
const isDeliveryId = (text: string): boolean =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));

export const listDeliveries: Handler<'listDeliveries'> = async (call) => {
  const request = pageRequest(call, [], isDeliveryId);
  const { after, limit } = request;
  const { webhookID: webhookId } = call.params;
  const before = after === null ? null : Number(after);
  const found = await query(call, 'deliveries', { webhookId, before, limit });
  const deliveries = found ?? notFound('webhook-not-found', { webhookId });
  return { body: listBody(deliveries, request, ({ id }) => String(id), deliveryBody) };
};

export const getDelivery: Handler<'getDelivery'> = async (call) => {
  const { delivery, record } = await findDelivery(call);
  const { realmID: realmId, webhookID } = call.params;
  const { id: messageId, body } = call.services.webhooks.messageOf(realmId, webhookID, record);
  return { body: { ...deliveryBody(delivery), messageId, payload: JSON.parse(body) } };
};

export const resendDelivery: Handler<'resendDelivery'> = async (call) => {
  const { webhook, delivery, record } = await findDelivery(call);
  const { webhooks } = call.services;
  const sent = await webhooks.resend(call.params.realmID, webhook, record, delivery);
  return { body: deliveryBody(sent ?? unreadable(webhook.id)) };
};

/** With its event as it is now: parts of it may have been erased since. */
async function findDelivery(call: Call<'getDelivery' | 'resendDelivery'>) {
  const webhook = await find(call);
  const deliveryId = Number(call.params.deliveryID);
  const found = await query(call, 'delivery', { webhookId: webhook.id, deliveryId });
  const delivery = found ?? notFound('delivery-not-found', { webhookId: webhook.id, deliveryId });
  const { rows } = await query(call, 'records', { after: delivery.seq - 1, limit: 1 });
  const record = rows[0] ?? notFound('event-not-found', { seq: delivery.seq });
  return { webhook, delivery, record };
}

const unreadable = (webhookId: string): never =>
  notFound('webhook-secret-unreadable', { webhookId });

/** As it is stored and shown: in one way of writing it, without a fragment. */
function normalised(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

/** Executes a command, and has this process look at the webhooks again. */
const change: typeof execute = async (call, type, params, toBody) => {
  const answer = await execute(call, type, params, toBody);
  call.services.webhooks.onChanged();
  return answer;
};

const bodyIn =
  ({ services: { webhooks } }: AnyCall) =>
  (webhook: Webhook) =>
    webhookBody(webhook, webhooks.canOpen(webhook.sealedBy));

async function find(call: Call<'getWebhook' | 'testWebhook' | 'getDelivery' | 'resendDelivery'>) {
  const { webhookID: webhookId } = call.params;
  const found = await query(call, 'webhook', { webhookId });
  return found ?? notFound('webhook-not-found', { webhookId });
}
