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
  /** The numbers of connections it is measured at. */
  connections: readonly number[];
  request: (server: Ready) => RequestTemplate;
  /** What the ratio to the empty route should reach, by number of connections. */
  targets?: Readonly<Record<number, number>>;
  /** Looks at the server before the load; what it answers looks again after it. */
  watch?: (server: Ready) => Promise<(acknowledged: number) => Promise<Finding[]>>;
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
