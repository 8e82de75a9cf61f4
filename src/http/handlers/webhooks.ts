import {
  DEFAULT_OVERLAP_SECONDS,
  deliveryBody,
  webhookBody,
} from '../../contract/operations/webhooks.ts';
import { ProblemError } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import { randomText } from '../../domain/key-format.ts';
import { pageOfSmall } from '../../domain/rules/pages.ts';
import { webhookView } from '../../domain/rules/views.ts';
import { isAccepted } from '../../domain/rules/webhooks.ts';
import type { Webhook } from '../../domain/webhook.ts';
import { asIs, type Call, execute, type Handler, notFound, pick, query } from '../calls.ts';
import { listBody, pageRequest } from '../cursor.ts';
import type { Services } from '../services.ts';

const ID_LENGTH = 12;

export const createWebhook: Handler<'createWebhook'> = async (call, services) => {
  const { webhooks } = services;
  const { types, description = null } = call.body;
  const url = normalised(call.body.url);
  const id = randomText(ID_LENGTH);
  const { secret, sealed } = webhooks.issueSecret(call.params.realmID, id);
  const target = await webhooks.checkTarget(url);
  const newWebhook = { id, secret: sealed };
  const fields = { url, types: types ?? [], description };
  const webhook = { newWebhook, ...fields, target };
  const answer = await execute(call, services, 'webhook.create', webhook, bodyIn(services));
  webhooks.onChanged();
  return { ...answer, body: { ...answer.body, secret: answer.replayed ? null : secret } };
};

export const listWebhooks: Handler<'listWebhooks'> = async (call, services) => {
  const request = pageRequest(call, [], isParameter('webhookID'));
  const { after, limit } = request;
  const webhooks = await query(call, services, 'webhooks', { realmId: call.params.realmID });
  // A realm has at most 20, already in the order of their ids: no query for a page is needed.
  const rest = after === null ? webhooks : webhooks.filter(({ id }) => id > after);
  const page = pageOfSmall(rest, limit);
  return { body: listBody(page, request, ({ id }) => id, bodyIn(services)) };
};

export const getWebhook: Handler<'getWebhook'> = async (call, services) => ({
  body: bodyIn(services)(webhookView(await find(call, services))),
});

export const updateWebhook: Handler<'updateWebhook'> = async (call, services) => {
  const { webhooks } = services;
  const { url, types } = call.body;
  const target = url === undefined ? 'allowed' : await webhooks.checkTarget(url);
  const fields = {
    ...pick(call.body, 'description'),
    ...(url !== undefined && { url: normalised(url) }),
    ...(types !== undefined && { types: types ?? [] }),
  };
  const webhookId = call.params.webhookID;
  const change = { webhookId, fields, ...pick(call.body, 'paused'), target };
  const answer = await execute(call, services, 'webhook.update', change, bodyIn(services));
  webhooks.onChanged();
  return answer;
};

export const deleteWebhook: Handler<'deleteWebhook'> = async (call, services) => {
  const webhookId = call.params.webhookID;
  const answer = await execute(call, services, 'webhook.delete', { webhookId }, asIs);
  services.webhooks.onChanged();
  return answer;
};

export const rotateWebhook: Handler<'rotateWebhook'> = async (call, services) => {
  const { webhooks } = services;
  const { realmID: realmId, webhookID: id } = call.params;
  const { secret, sealed } = webhooks.issueSecret(realmId, id);
  const overlapSeconds = call.body?.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
  const rotation = { newWebhook: { id, secret: sealed }, overlapSeconds };
  const answer = await execute(call, services, 'webhook.rotate', rotation, bodyIn(services));
  webhooks.onChanged();
  return { ...answer, body: { ...answer.body, secret: answer.replayed ? null : secret } };
};

export const testWebhook: Handler<'testWebhook'> = async (call, services) => {
  const webhook = await find(call, services);
  const outcome = await services.webhooks.test(call.params.realmID, webhook);
  if (outcome === null) {
    throw new ProblemError('webhook-secret-unreadable', { webhookId: webhook.id });
  }
  const { status, latencyMs, answer, error } = outcome;
  return { body: { delivered: isAccepted(status), status, latencyMs, answer, error } };
};

export const replayWebhook: Handler<'replayWebhook'> = async (call, services) => {
  const replay = { webhookId: call.params.webhookID, fromSeq: call.body.fromSeq };
  const answer = await execute(call, services, 'webhook.replay', replay, bodyIn(services));
  services.webhooks.onChanged();
  return answer;
};

/** They are made from instants, so they have more digits than numbers of records. */
const isDeliveryId = (text: string): boolean =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));

export const listDeliveries: Handler<'listDeliveries'> = async (call, services) => {
  const request = pageRequest(call, [], isDeliveryId);
  const { after, limit } = request;
  const { realmID: realmId, webhookID: webhookId } = call.params;
  const before = after === null ? null : Number(after);
  const page = { realmId, webhookId, before, limit };
  const found = await query(call, services, 'deliveries', page);
  const deliveries = found ?? notFound('webhook-not-found', { webhookId });
  return { body: listBody(deliveries, request, ({ id }) => String(id), deliveryBody) };
};

/** As it is stored and shown: in one way of writing it, without a fragment. */
function normalised(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

const bodyIn =
  ({ webhooks }: Services) =>
  (webhook: Webhook) =>
    webhookBody(webhook, webhooks.canOpen(webhook.sealedBy));

async function find(call: Call<'getWebhook' | 'testWebhook'>, services: Services) {
  const { realmID: realmId, webhookID: webhookId } = call.params;
  const found = await query(call, services, 'webhook', { realmId, webhookId });
  return found ?? notFound('webhook-not-found', { webhookId });
}
