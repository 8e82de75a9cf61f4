import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../contract/problems.ts';
import { isObject, isParameter } from '../contract/validation.ts';
import { receive } from './connections.ts';
import type { Services } from './services.ts';

/** What Discord sends has a few KiB: options, and the members that they name. */
const MAX_BYTES = 256 * 1024;
/** What was signed longer ago, or later than now, was not sent by Discord just now. */
const WINDOW_MS = 5 * 60_000;

const [PING, PONG] = [1, 1];

/** Interactions as Discord sends them over HTTP, where DISCORD_PUBLIC_KEY is set. */
export function addInteractions(app: FastifyInstance, { discord }: Services): void {
  if (!discord?.publicKey) return;
  const key = keyOf(discord.publicKey);
  app.post('/discord/interactions', async (request) => {
    const { raw, headers } = request;
    const body = await receive(raw, MAX_BYTES);
    const timestamp = String(headers['x-signature-timestamp'] ?? '');
    const signature = String(headers['x-signature-ed25519'] ?? '');
    if (!isRecent(timestamp) || !isSigned(key, signature, timestamp, body)) throw notSigned();
    const interaction = interactionIn(body.toString());
    if (interaction.type === PING) return { type: PONG };
    return discord.handle(interaction).catch((error) => {
      const reason = 'The Discord app does not answer at the moment.';
      throw new ProblemError('not-ready', { reason, cause: error.message });
    });
  });
}

function interactionIn(text: string): { type?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // It is refused as any other text that is no interaction.
  }
  throw new ProblemError('malformed-json', { reason: 'Send an interaction: a JSON object.' });
}

function keyOf(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

const isRecent = (timestamp: string): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(Date.now() - Number(timestamp) * 1000) <= WINDOW_MS;

const isSigned = (key: KeyObject, signature: string, timestamp: string, body: Buffer): boolean =>
  /^[0-9a-f]{128}$/i.test(signature) &&
  verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));

const notSigned = (): ProblemError =>
  new ProblemError('unauthorized', {
    reason: 'The signature is not one of Discord for this body and this time.',
    allowed: 'what Discord signs for the application of DISCORD_PUBLIC_KEY',
  });

/** How long a browser keeps a picture, and that there is none: one that failed may come later. */
const CACHED = 'private, max-age=3600';
const NONE_CACHED = 'private, max-age=600';

const isRealmId = isParameter('realmID');
const isMemberId = isParameter('memberID');

interface Path {
  realmID: string;
  memberID: string;
}

/**
 * Pictures of members, for pages of the console alone: an image sends no header, so the cookie
 * suffices. It is strict, and other origins can neither read nor embed what is answered.
 */
export function addPictures(app: FastifyInstance, services: Services): void {
  app.get<{ Params: Path }>('/console/pictures/:realmID/:memberID', async (request, reply) => {
    const { realmID, memberID } = request.params;
    const viewer = await services.sessions.viewerOf(request.raw);
    if (!viewer) throw new ProblemError('unauthorized', { reason: 'Nobody is signed in.' });
    if (viewer.realmId !== null && viewer.realmId !== realmID) throw new ProblemError('forbidden');
    request.principal = viewer;
    const isShown = isRealmId(realmID) && isMemberId(memberID) && (await shows(services, realmID));
    if (!isShown) throw new ProblemError('not-found');
    const picture = await pictureOf(services, realmID, memberID);
    reply.header('cross-origin-resource-policy', 'same-origin');
    if (!picture) return reply.header('cache-control', NONE_CACHED).code(204).send();
    return reply.header('cache-control', CACHED).type(picture.type).send(picture.bytes);
  });
}

async function shows({ ledger, discord }: Services, realmId: string): Promise<boolean> {
  if (!discord) return false;
  const realm = await ledger.query('realm', { realmId });
  return realm?.settings.discordPictures === true;
}

async function pictureOf({ ledger, discord }: Services, realmId: string, memberId: string) {
  const member = await ledger.query('member', { realmId, memberId, now: Date.now() });
  const account = member?.accounts.find(({ provider }) => provider === 'discord');
  return account ? discord?.pictureOf(account.id) : null;
}
