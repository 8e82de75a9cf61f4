import type { APIInteraction, APIInteractionResponse } from 'discord-api-types/v10';

/** A realm that is linked to a server, with a key for it that may write. */
export interface LinkedRealm {
  realmId: string;
  key: string;
  guildId: string;
  /** The channel that hears of large gifts, draws and new offers. */
  announceChannelId?: string | null | undefined;
  /** Who has this role may use the managers' commands, besides who may manage the server. */
  managerRoleId?: string | null | undefined;
}

export interface BotStatus {
  /** `waiting` while another process holds the lease; `refused` until a person mends something. */
  state: 'connecting' | 'ready' | 'waiting' | 'refused' | 'stopped';
  detail?: string | undefined;
  applicationId?: string | undefined;
  /** The linked servers; `problem` says what somebody has to do about one. */
  guilds: { guildId: string; problem?: string | undefined }[];
  since: string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface BotOptions {
  token: string;
  /** Where Discord's REST API is; its own, version 10, by default. */
  apiUrl?: string | undefined;
  serviceUrl: string;
  /** Instead of the global `fetch`, for both. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** The linked realms. Asked at the start, after `realmsChanged()` and every minute. */
  realms(): Promise<LinkedRealm[]>;
  /**
   * Renews the lease, and tells whether this process holds it. Asked every 2 seconds; absent: it
   * always does. Without the lease a bot neither connects to the gateway nor announces; over HTTP
   * it answers nevertheless.
   */
  isLeader?(): Promise<boolean>;
  /** Interactions come by `handle`, not from the gateway. */
  overHttp?: boolean | undefined;
  /** How far each realm's events were announced: null before the first. */
  lastSeq: {
    read(realmId: string): Promise<number | null>;
    write(realmId: string, seq: number): Promise<void>;
  };
  onStatus?(status: BotStatus): void;
  log(level: LogLevel, message: string, fields?: Record<string, unknown>): void;
}

export interface Bot {
  /** The response to an interaction over HTTP, within 3 seconds; the rest comes by REST. */
  handle(interaction: APIInteraction): Promise<APIInteractionResponse>;
  /** Call it when a realm was linked, unlinked or linked differently. */
  realmsChanged(): void;
  /** Ends the connection; interactions that are being answered get two seconds. */
  stop(): Promise<void>;
}
