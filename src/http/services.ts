import type { BotStatus } from 'realmkeep-discord';
import type { Proof, SignatureCheck } from '../domain/commands.ts';
import type { Address, Asset, Chain, Holding } from '../domain/model.ts';
import type { Unavailable } from '../ledger/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Erasures, KindEnrolments, RealmRemovals } from '../ledger/realm-work.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { EventStreams } from './event-streams.ts';
import type { KeyRing } from './key-ring.ts';
import type { Passkeys } from './passkeys.ts';
import type { Sessions } from './sessions.ts';
import type { WalletLinks } from './wallet-links.ts';

/** What the HTTP layer needs from the rest of the service. */
export interface Services {
  ledger: Ledger;
  keyRing: KeyRing;
  sessions: Sessions;
  passkeys: Passkeys;
  walletLinks: WalletLinks;
  removals: RealmRemovals;
  erasures: Erasures;
  enrolments: KindEnrolments;
  streams: EventStreams;
  addresses: Addresses;
  proofs: Proofs;
  /** Where people reach the service: passkeys belong to its host, and wallets sign for it. */
  publicUrl: string;
  holdings: {
    /** The combined balance of the EVM wallets in each asset, in order. Never fails, never slow. */
    of(assets: readonly Asset[], wallets: readonly string[]): Promise<Holding[]>;
  };
  chainCounts: () => { entries: number; chains: ChainCount[] };
  webhooks: Webhooks;
  /** Null if this process is no bot of Discord. */
  discord: Discord | null;
  /** That of the app in whichever process it is connected; null if it is in none. */
  discordStatus(): Promise<BotStatus | null>;
  /** Null if nothing is sent to a collector. */
  telemetry: Telemetry | null;
  /** Grants access to the metrics, as the root key does; null if none is set. */
  metricsToken: string | null;
  status: Status;
}

/** Plain data that the service keeps up to date, so that reading it per request costs nothing. */
export interface Status {
  /** Why the database takes no writes at the moment; null if it does. */
  outage: Unavailable | null;
  /** Why the database file accepts no writes; null as long as it is not known to be damaged. */
  damage: string | null;
  /** Whether the service checks the files of its database itself: it does so on SQLite. */
  checksFiles: boolean;
  /** When they were last checked completely; null before the first time. */
  checkedAt: number | null;
  /** Of realms in which the last check found a fault, when this process learnt it, and which. */
  faults: Map<string, { at: number; detail: string }>;
  /** The backups that the service makes; null if it makes none. */
  backup: BackupStatus | null;
  /** While the service shuts down, every answer closes its connection. */
  isStopping: boolean;
}

/** The last backup, and how many failed since the start. */
export interface BackupStatus {
  /** From this age on the last one is too old. */
  overdueMs: number;
  /** When it was begun; null before the first one. */
  at: number | null;
  bytes: number | null;
  /** Null if this process has not made it. */
  durationMs: number | null;
  failures: number;
}

/** What is sent to an OpenTelemetry collector. */
interface Telemetry {
  /** Null if requests are not traced. */
  tracer: RequestTracer | null;
  /** What became of spans: `sent` or `dropped`; and failed exports, by `traces` and `metrics`. */
  counts(): { spans: Record<string, number>; failures: Record<string, number> };
}

export interface RequestTracer {
  /** Starts the span of a request; null if the request is not sampled. */
  begin(traceparent: string | string[] | undefined): RequestSpan | null;
}

/** The span of a request, from its head to the end of its answer. */
export interface RequestSpan {
  traceId: string;
  /** Names this span as the parent of others. */
  traceparent: string;
  end(request: TracedRequest): void;
}

/** What a span says of a request: nothing private, as in the log. */
export interface TracedRequest {
  method: string;
  /** The template, not the path. Undefined for an unknown path. */
  route: string | undefined;
  status: number;
  realmId: string | undefined;
  problemCode: string | null;
}

interface Addresses {
  /** Strict, for linking. A fault is the end of a sentence that begins with the field's name. */
  parse(text: string, chain?: Chain): Address | { fault: string };
  /** The fault that `parse` would return, in less time. */
  faultOf(text: string, chain?: Chain): string | null;
  /** Lenient, for look-ups: the key this wallet would be stored under. */
  keyOf(text: string): string;
}

/** Parses an address that the body check has already accepted. */
export function checkedAddress({ addresses }: Services, text: string): Address {
  const parsed = addresses.parse(text);
  if ('key' in parsed) return parsed;
  throw new Error(`an invalid address passed the body check: it ${parsed.fault}`);
}

/** Checks signatures. A fault is the end of a sentence that begins with the field's name. */
interface Proofs {
  walletFault(wallet: Address): string | null;
  signatureFault(wallet: Address, signature: string): string | null;
  verify(
    signed: Omit<Proof, 'check'> & { wallet: Address; network: string },
  ): Promise<SignatureCheck>;
}

interface Discord {
  /** In hexadecimal digits; null unless interactions come over HTTP. */
  publicKey: string | null;
  /** The response to an interaction. */
  handle(interaction: object): Promise<object>;
  /** The picture of an account; null if there is none, or none can be had now. */
  pictureOf(userId: string): Promise<{ type: string; bytes: Buffer } | null>;
  /** A realm was linked, or unlinked. */
  onChanged(): void;
  /** Somebody looks at a problem, and may have mended it. */
  recheck(): void;
}

export interface ChainCount {
  chain: string;
  reads: number;
  failures: Record<string, number>;
  behind: number;
  unanswered: number;
  failing: boolean;
  highestBlock: number | null;
}
