import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../contract/problems.ts';
import { isParameter } from '../contract/validation.ts';
import type { Services } from './services.ts';

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
