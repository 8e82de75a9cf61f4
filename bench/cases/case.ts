import { REALM } from '../community.ts';
import type { RequestTemplate } from '../load.ts';
import type { Ready } from '../servers/announce.ts';

/** Something that the whole run must have kept, whatever the load was. */
export interface Finding {
  claim: string;
  ok: boolean;
  detail: string;
}

/** One benchmark over HTTP: which server gets which request. */
export interface Case {
  name: string;
  /** A file of servers/, by its name. */
  server: string;
  /** A module that the server's threads load before anything else, by its name: preload/. */
  preload?: string;
  /** Whether it has a process of its own, though others have the same server. */
  isApart?: true;
  /** The numbers of connections it is measured at. */
  connections: readonly number[];
  request: (server: Ready) => RequestTemplate;
  /** Who goes into the slots of the request; the usual community unless said otherwise. */
  members?: readonly string[];
  /** The realms that go into the slot <realm>. */
  realms?: readonly string[];
  /** What the ratio to the empty route should reach, by number of connections. */
  targets?: Readonly<Record<number, number>>;
  /** What it may cost at most, as a multiple of another case. */
  costs?: { timesOf: Case; atMost: number };
  /**
   * Its rate as a multiple of others', and what that should reach, by number of connections; null
   * where it is only shown.
   */
  reaches?: readonly { timesOf: Case; atLeast: Readonly<Record<number, number | null>> }[];
  /** Whom it takes turns with: those of the same contest; the first one has no name. */
  contest?: 'large realms' | 'PostgreSQL';
  /** Waits for what the load left to be done afterwards. */
  settle?: (server: Ready) => Promise<void>;
  /** Looks at the server before the load; what it answers looks again after it. */
  watch?: (server: Ready) => Promise<(acknowledged: number) => Promise<Finding[]>>;
}

export const bearer = ({ keys }: Ready, realmId = REALM) => ({
  authorization: `Bearer ${keys[realmId]}`,
});

export const pathOf = (realmId: string, rest: string): string =>
  `/api/v4/realms/${realmId}/${rest}`;

/** A request that only reads. */
export const reading = (server: Ready, realmId: string, rest: string): RequestTemplate => ({
  method: 'GET',
  path: pathOf(realmId, rest),
  headers: bearer(server, realmId),
  body: '',
});

/** A reader of boards sees all that was written before, so this waits until they are up to date. */
export async function followed(server: Ready, realmId = REALM): Promise<void> {
  const path = pathOf(realmId, 'leaderboard?limit=1');
  for (;;) {
    const answer = await fetch(server.url + path, { headers: bearer(server) });
    await answer.arrayBuffer();
    if (answer.status === 200) return;
    // After a heavy load it may take longer than one question waits.
    if (answer.status !== 503) throw new Error(`the leaderboard got ${answer.status}`);
  }
}
