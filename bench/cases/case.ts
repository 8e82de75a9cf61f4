import { REALM } from '../community.ts';
import type { RequestTemplate } from '../load.ts';
import type { Ready } from '../servers/announce.ts';

/** A condition that must hold whatever the load. */
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
  /** A module of preload/ that the server's threads load first, by its name. */
  preload?: string;
  /** Whether it has its own process although others use the same server. */
  isApart?: true;
  connections: readonly number[];
  request: (server: Ready) => RequestTemplate;
  /** The members for the slots of the request; by default those of the usual community. */
  members?: readonly string[];
  /** The realms for the slot <realm>. */
  realms?: readonly string[];
  /** The target for the ratio to the empty route, by number of connections. */
  targets?: Readonly<Record<number, number>>;
  /** The maximum cost as a multiple of another case. */
  costs?: { timesOf: Case; atMost: number };
  /**
   * The targets for its rate as a multiple of others, by number of connections; null shows it
   * without a target.
   */
  reaches?: readonly { timesOf: Case; atLeast: Readonly<Record<number, number | null>> }[];
  /** It alternates with the cases of the same contest; the first contest has no name. */
  contest?: 'large realms' | 'PostgreSQL';
  /** Examines the server before the load; the result examines it after the load. */
  check?: (server: Ready) => Promise<(acknowledged: number) => Promise<Finding[]>>;
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
