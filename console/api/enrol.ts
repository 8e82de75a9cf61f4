import { isProblem } from '@realmkeep/client';
import { fingerprintOf } from '../text/fingerprint.ts';
import type { NewMember } from '../text/import.ts';
import { entryFaults } from './faults.ts';
import { serviceBy, watchedFetch } from './service.ts';

interface Enrolled {
  /** Why some were refused, by their place in the list. */
  refused: Map<number, string>;
  /** An earlier import of the same members has enrolled them; this one did nothing. */
  wasDone: boolean;
}

/**
 * Enrols members, each on its own. The same members in a row are enrolled once, however often they
 * are sent, except if `turn` differs: a list may have the same rows twice.
 */
export async function enrol(realm: string, members: NewMember[], turn: number): Promise<Enrolled> {
  const refused = new Map<number, string>();
  let left = members.map((member, place) => ({ member, place }));
  while (left.length > 0) {
    const sent = left;
    const { faults, results, wasReplayed } = await send(
      realm,
      sent.map(({ member }) => member),
      turn,
    );
    for (const [index, { place }] of sent.entries()) {
      const reason = faults.get(index) ?? results[index]?.problem?.detail;
      if (reason !== undefined) refused.set(place, reason);
    }
    if (faults.size === 0) return { refused, wasDone: wasReplayed };
    // A call with an invalid member is refused as a whole; the others are sent without it.
    left = sent.filter((_, index) => !faults.has(index));
  }
  return { refused, wasDone: false };
}

const ERASED = 'It was imported before, with a member who has been erased since.';

async function send(realm: string, members: NewMember[], turn: number) {
  const { api, wasReplayed } = observed(realm);
  const idempotencyKey = `console-import-${turn}-${fingerprintOf(JSON.stringify(members))}`;
  try {
    const { results } = await api.createMembers(members, { atomic: false, idempotencyKey });
    return { faults: new Map<number, string>(), results, wasReplayed: wasReplayed() };
  } catch (error) {
    const isErased = isProblem(error) && error.code === 'answer-erased';
    const faults = isErased
      ? new Map(members.map((_, index) => [index, ERASED]))
      : entryFaults(error as Error, 'members');
    if (faults.size === 0) throw error;
    return { faults, results: [], wasReplayed: false };
  }
}

/** A realm of which one sees whether the first answer was a replay; the client does not say it. */
function observed(realm: string) {
  const replayed: boolean[] = [];
  const service = serviceBy(async (url, init) => {
    const attempt = replayed.push(false) - 1;
    const response = await watchedFetch(url, init);
    replayed[attempt] = response.headers.get('idempotent-replayed') === 'true';
    return response;
  });
  return { api: service.realm(realm), wasReplayed: () => replayed[0] ?? false };
}
