import type { BotStatus } from 'realmkeep-discord';
import type { Discord } from '../discord/discord.ts';
import type { Address } from '../domain/model.ts';
import type { Unavailable } from '../ledger/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Erasures, KindEnrolments, RealmRemovals } from '../ledger/realm-work.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { parseAddress, walletKey } from '../web3/address.ts';
import type { ChainHoldings } from '../web3/holdings.ts';
import type { proofChecker } from '../web3/proofs.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { EventStreams } from './event-streams.ts';
import type { KeyRing } from './key-ring.ts';
import type { Passkeys } from './passkeys.ts';
import type { Sessions } from './sessions.ts';
import type { WalletLinks } from './wallet-links.ts';

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
  addresses: { parse: typeof parseAddress; keyOf: typeof walletKey };
  proofs: ReturnType<typeof proofChecker>;
  /** Where people reach the service: passkeys belong to its host, and wallets sign for it. */
  publicUrl: string;
  holdings: ChainHoldings;
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

/** Parses an address that the body check has already accepted. */
export function checkedAddress({ addresses }: Services, text: string): Address {
  const parsed = addresses.parse(text);
  if ('key' in parsed) return parsed;
  throw new Error(`an invalid address passed the body check: it ${parsed.fault}`);
}
