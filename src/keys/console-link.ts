import { generateKey, rootSessionKeyId } from '../domain/key-format.ts';
import { newCode } from '../domain/rules/sessions.ts';
import type { Ledger } from '../engine/ledger.ts';

/**
 * A link that signs in to the console as root, once and within 10 minutes. The code is in the
 * fragment, which browsers do not send, so no log has it. The database has its hash.
 */
export async function createConsoleLink(
  { housekeeping }: Pick<Ledger, 'housekeeping'>,
  rootHash: string,
  page: string,
): Promise<string> {
  const { key: code, newKey } = generateKey();
  const keyId = rootSessionKeyId(rootHash);
  await housekeeping.createSession(newCode({ newKey, keyId, now: Date.now() }));
  return `${page}#code=${code}`;
}
