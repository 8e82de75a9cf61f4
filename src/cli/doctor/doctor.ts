import type { Config } from '../../config/config.ts';
import { archiveFinding, backupFinding } from './backup.ts';
import { configurationFindings, keyFindings, settings } from './configuration.ts';
import {
  type Content,
  clockFinding,
  type DatabaseFacts,
  databaseFinding,
  erasureFinding,
  factsOf,
  journalFindings,
  lastRecordAt,
  migrationFinding,
} from './database.ts';
import { diskFindings, serverDiskFindings } from './disk.ts';
import { about, type Check, type Finding } from './finding.ts';
import { rpcFindings, serviceFinding } from './network.ts';
import { webhookFindings } from './webhooks.ts';

/**
 * Looks at a set-up and judges it, part by part. It changes nothing in the database, which a
 * running service may be using; beside a SQLite file it writes one of its own, for a moment.
 */
export async function diagnose(): Promise<Finding[]> {
  const config = settings();
  if ('verdict' in config) return [config];
  const found = await factsOf(config.database);
  const facts = 'verdict' in found ? null : found;
  const now = Date.now();
  return [
    ...configurationFindings(config),
    ...keyFindings(config, facts?.content?.rootKeyHash ?? null),
    ...storageFindings(config, facts?.server ?? null),
    'verdict' in found ? found : databaseFinding(config.database, found),
    facts ? migrationFinding(facts) : unknown('migrations'),
    facts ? clockFinding(facts, now) : unknown('clock'),
    config.database.kind === 'sqlite'
      ? backupFinding(config, now)
      : archiveFinding(facts?.server ?? null, lastRecordAt(facts?.content ?? null), now),
    ...contentFindings(facts, 'journal', ({ realms, journalFaults }) =>
      journalFindings(realms.length, journalFaults),
    ),
    ...contentFindings(facts, 'erasures', ({ erasingRealms }) => [
      erasureFinding(erasingRealms, now),
    ]),
    ...(await rpcFindings(config.rpcUrls)),
    ...contentFindings(facts, 'webhooks', (content) => webhookFindings(config, content)),
    await serviceFinding(config),
  ];
}

const storageFindings = ({ database }: Config, server: DatabaseFacts['server']): Finding[] =>
  database.kind === 'sqlite' ? diskFindings(database) : serverDiskFindings(server);

const unknown = (check: Check): Finding => about(check).skipped('The database cannot be read.');

function contentFindings(
  facts: DatabaseFacts | null,
  check: Check,
  judge: (content: Content) => Finding[],
): Finding[] {
  if (facts?.content) return judge(facts.content);
  return facts ? [about(check).skipped('The schema is of another version.')] : [unknown(check)];
}
