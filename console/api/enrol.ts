import { isProblem } from '@realmkeep/client';
import { fingerprintOf } from '../text/fingerprint.ts';
import type { NewMember } from '../text/import.ts';
import { entryFaults, sentenceOf } from './faults.ts';
import { serviceBy, watchedFetch } from './service.ts';

/** What was done for one member. */
export interface Made {
  memberId: string;
  /** False if it was enrolled already, and got opening balances. */
  isNew: boolean;
  /** The transactions of its opening balances. */
  opened: number[];
}

interface Enrolled {
  /** Why some were refused, by their place in the list. */
  refused: Map<number, string>;
  made: Made[];
  /** What an earlier call with the same members has made, and not this one. */
  madeBefore: Made[];
}

/**
 * Enrols members, each on its own. The same members in a row are enrolled once, however often they
 * are sent in the same series. Those that an earlier call has refused are judged anew.
 */
export async function enrol(
  realm: string,
  members: NewMember[],
  series: string,
  opensPresent = false,
): Promise<Enrolled> {
  const refused = new Map<number, string>();
  const made: Made[] = [];
  const madeBefore: Made[] = [];
  let attempt = 0;
  let left = members.map((member, place) => ({ member, place }));
  while (left.length > 0) {
    const sent = left.map(({ member }) => member);
    const answer = await send(realm, sent, `${series}-${attempt}`, opensPresent);
    const { isInvalid, wasReplayed, reasons } = answer;
    (wasReplayed ? madeBefore : made).push(...answer.made);
    if (wasReplayed && reasons.size > 0) {
      // What was in the way then may be gone. They have not been enrolled, so they are sent again.
      left = left.filter((_, index) => reasons.has(index));
      attempt += 1;
      continue;
    }
    for (const [index, reason] of reasons) {
      const place = left[index]?.place;
      if (place !== undefined) refused.set(place, reason);
    }
    // A call with an invalid member is refused as a whole; the others are sent without it.
    left = isInvalid ? left.filter((_, index) => !reasons.has(index)) : [];
  }
  return { refused, made, madeBefore };
}

interface Sent {
  /** Why some were refused, by their place among those that were sent. */
  reasons: Map<number, string>;
  made: Made[];
  /** The others were not enrolled either. */
  isInvalid: boolean;
  /** The answer is that of an earlier call. */
  wasReplayed: boolean;
}

const ERASED = 'It was imported before, with a member who has been erased since.';

async function send(
  realm: string,
  members: NewMember[],
  series: string,
  opensPresent: boolean,
): Promise<Sent> {
  const { api, wasReplayed } = observed(realm);
  const idempotencyKey = `console-import-${series}-${fingerprintOf(JSON.stringify(members))}`;
  try {
    const more = opensPresent ? { opensPresent } : {};
    const sent = { atomic: false, idempotencyKey, ...more };
    const { results } = await api.createMembers(members, sent);
    const reasons = results.flatMap(({ problem }, index): [number, string][] =>
      problem ? [[index, sentenceOf(new Error(problem.detail))]] : [],
    );
    const made = results.flatMap(({ memberId, problem, opened = [], wasPresent }): Made[] =>
      memberId === null || problem
        ? []
        : [{ memberId, isNew: !wasPresent, opened: opened.map((one) => one.transactionId) }],
    );
    return { reasons: new Map(reasons), made, isInvalid: false, wasReplayed: wasReplayed() };
  } catch (error) {
    const isErased = isProblem(error) && error.code === 'answer-erased';
    const reasons = isErased
      ? new Map(members.map((_, index) => [index, ERASED]))
      : entryFaults(error as Error, 'members');
    if (reasons.size === 0) throw error;
    return { reasons, made: [], isInvalid: true, wasReplayed: false };
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
