import type { Config } from '../../config/config.ts';
import { type Finding, fault, ok, skipped, warning } from './finding.ts';

const API_URL = 'https://discord.com/api/v10';
const ANSWER_MS = 5_000;

/** Asks Discord whose token it is. */
export async function discordFinding({ discord }: Config): Promise<Finding> {
  const { token, publicKey, apiUrl } = discord;
  if (token === null) return skipped('DISCORD_TOKEN is not set.');
  const url = `${(apiUrl ?? API_URL).replace(/\/$/, '')}/applications/@me`;
  try {
    const headers = { authorization: `Bot ${token}` };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
    if (response.status === 401) {
      return fault('Discord refuses DISCORD_TOKEN. Reset the token on its page, and set that one.');
    }
    if (!response.ok) return warning(`Discord answers ${response.status}. Try again later.`);
    const { name, verify_key: key } = (await response.json()) as Record<string, unknown>;
    if (publicKey !== null && key !== publicKey.toLowerCase()) {
      return fault(`DISCORD_PUBLIC_KEY is not that of the application: ${key}.`);
    }
    return ok(`Discord knows the token as that of "${name}".`);
  } catch {
    return warning(`Discord cannot be reached at ${new URL(url).origin}. The app retries.`);
  }
}
