import { hash } from 'node:crypto';
import type { Salts } from '../../src/domain/rules/journal.ts';

/** The same for the same record, so that the same commands make the same journal. */
export const fixedSalts: Salts = (realmId, seq) =>
  hash('sha256', `${realmId} ${seq}`, 'base64url').slice(0, 22);
