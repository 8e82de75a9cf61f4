import type { DatabaseAddress } from '../config/config.ts';
import { type DatabaseFacts, MAX_REALMS } from './facts.ts';
import { about, type Finding } from './finding.ts';

export function databaseFinding(
  { shown }: DatabaseAddress,
  { server, content }: DatabaseFacts,
): Finding {
  const { ok, warning } = about('database');
  if (content?.copiedTo) {
    const sentence = `${shown} was copied to ${content.copiedTo}, and is no longer the original.`;
    return warning(`${sentence} Use the copy, or delete the note as docs/postgres.md says.`);
  }
  const kind = server ? `PostgreSQL ${server.version}` : 'SQLite';
  const count = content?.realms.length ?? 0;
  const realms = count === MAX_REALMS ? `at least ${count} realms` : `realms: ${count}`;
  return ok(`${shown} can be read (${kind}, ${realms}).`);
}

export function migrationFinding({ version, known }: DatabaseFacts): Finding {
  const { ok, warning, fault } = about('migrations');
  if (version === known) return ok(`The schema version is ${version}, as it should be.`);
  const found = `The schema version is ${version}; that of this program is ${known}.`;
  if (version > known) {
    return fault(
      `${found} A newer program has migrated the database: run that one, or restore a backup ` +
        'made before the upgrade (docs/upgrading.md).',
    );
  }
  return warning(
    `${found} The next start migrates it: "npx realmkeep migrate --plan" says what that takes.`,
  );
}
