/**
 * The SHA-256 of the key in root.key; where the database was copied to, and when; of the app of
 * Discord, which process is connected, how it is, the realm of each server, and what it keeps of
 * each realm.
 */
export type NoteName =
  | 'root_key_hash'
  | 'copied_to'
  | 'discord_lease'
  | 'discord_status'
  | `discord_server:${string}`
  | `discord_app:${string}`;
