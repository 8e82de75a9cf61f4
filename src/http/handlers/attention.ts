import { isoOrNull } from '../../contract/instants.ts';
import { expiringKeys, unusualAwards } from '../../domain/rules/attention.ts';
import { type Answer, type Call, type Handler, pick, query, realmOf } from '../calls.ts';
import { getDiscordStatus } from './discord.ts';

type Item =
  Awaited<ReturnType<Handler<'getAttention'>>> extends Answer<{ items: (infer I)[] }> ? I : never;
type Items = Promise<(Omit<Item, 'at'> & { at: number | null })[]>;

const [AWARDS, CLAIMS, KEYS] = [500, 100, 500];

export const getAttention: Handler<'getAttention'> = async (call) => {
  const isAdmin = call.principal.scopes.has('admin');
  const ofAdmins = isAdmin ? [faults, discord, failingWebhooks, keys].map((of) => of(call)) : [];
  const items = await Promise.all([...ofAdmins, claims(call), awards(call)]);
  return { body: { items: items.flat().map((item) => ({ ...item, at: isoOrNull(item.at) })) } };
};

async function faults({ services, principal, params, ...call }: Call<'getAttention'>): Items {
  const { damage, backup, faults: found } = services.status;
  const { createdAt } = await realmOf({ services, params, ...call });
  const fault = damage === null ? found.get(params.realmID) : { at: null, detail: damage };
  // An earlier realm may have had this id.
  const isOwn = fault && (fault.at ?? createdAt) >= createdAt;
  const age = backup?.at ? Date.now() - backup.at : process.uptime() * 1_000;
  const isOverdue = backup !== null && age > backup.overdueMs && principal.scopes.has('root');
  return [
    ...(isOwn ? [{ type: 'check-failed' as const, ...fault }] : []),
    ...(isOverdue ? [{ type: 'backup-overdue' as const, at: backup.at }] : []),
  ];
}

/** A realm that is linked may also be served by an app elsewhere: then this one is off. */
async function discord(call: Call<'getAttention'>): Items {
  const { body } = await getDiscordStatus(call as unknown as Call<'getDiscordStatus'>);
  const { state, detail, since, servers } = body;
  const isDown = state === 'refused' || state === 'stopped';
  const isReady = state === 'ready';
  const [bad] = servers.filter(
    ({ isServed, problem }) => isDown || (isReady && (!isServed || problem !== null)),
  );
  if (!bad) return [];
  const why = { detail: bad.problem ?? detail ?? 'The app is not in the server.' };
  return [{ type: 'discord-disconnected', at: since ? Date.parse(since) : null, ...why }];
}

async function failingWebhooks(call: Call<'getAttention'>): Items {
  const { webhooks } = call.services;
  return (await query(call, 'webhooks', {})).flatMap(({ id: webhookId, url, ...webhook }) => {
    const { pausedAt, pauseReason, failingSince, sealedBy, updatedAt } = webhook;
    const isFailing = failingSince !== null || !webhooks.canOpen(sealedBy);
    const at = failingSince ?? pausedAt ?? updatedAt;
    const needsSomebody = pausedAt === null ? isFailing : pauseReason !== 'requested';
    return needsSomebody ? [{ type: 'webhook-failing', at, webhookId, url }] : [];
  });
}

async function keys(call: Call<'getAttention'>): Items {
  const { rows } = await query(call, 'apiKeys', { after: null, limit: KEYS });
  return expiringKeys(rows, Date.now()).map(({ id: keyId, name, expiresAt: at }) => {
    return { type: 'key-expiring', at, keyId, name };
  });
}

async function claims(call: Call<'getAttention'>): Items {
  const which = { status: 'pending', offerId: null, memberId: null, before: null } as const;
  const { rows } = await query(call, 'claims', { ...which, limit: CLAIMS });
  const oldest = rows.at(-1);
  return oldest ? [{ type: 'claims-waiting', at: oldest.at, claims: rows.length }] : [];
}

async function awards(call: Call<'getAttention'>): Items {
  const of = { realmPointId: null, type: 'points.added', from: null, to: null, before: null };
  const { rows } = await query(call, 'transactions', { ...of, limit: AWARDS });
  return unusualAwards(rows, Date.now()).map((award) => ({
    ...{ type: 'award-unusual', at: award.at },
    ...pick(award, 'transactionId', 'memberId', 'realmPointId', 'tokens', 'usual'),
    ...pick(award, 'actor', 'onBehalfOf'),
  }));
}
