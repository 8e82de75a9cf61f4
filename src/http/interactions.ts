import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../contract/problems.ts';
import { isObject } from '../contract/validation.ts';
import { receive } from './connections.ts';
import type { Services } from './services.ts';

/** What Discord sends has a few KiB: options, and the members that they name. */
const MAX_BYTES = 256 * 1024;
/** What was signed longer ago, or later than now, was not sent by Discord just now. */
const WINDOW_MS = 5 * 60_000;
/** What a raw Ed25519 key lacks to be an SPKI. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

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

const keyOf = (publicKey: string): KeyObject => {
  const key = Buffer.concat([SPKI_PREFIX, Buffer.from(publicKey, 'hex')]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
};

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
