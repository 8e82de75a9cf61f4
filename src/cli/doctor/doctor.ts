import { archiveFinding, backupFinding } from './backup.ts';
import { configurationFindings, keyFindings, settings, webhookFindings } from './configuration.ts';
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
import { accessFindings, fsyncFinding, serverFsyncFinding, spaceFinding } from './disk.ts';
import { type Finding, skipped } from './finding.ts';
import { discordFinding, rpcFindings, serviceFinding } from './network.ts';

type Found = Finding | Finding[];

/**
 * Looks at a set-up and judges it, part by part. It changes nothing in the database, which a
 * running service may be using; beside a SQLite file it writes one of its own, for a moment.
 */
export async function diagnose(): Promise<({ check: string } & Finding)[]> {
  const config = settings();
  if ('verdict' in config) return [{ check: 'configuration', ...config }];
  const { database, backups } = config;
  const found = await factsOf(database);
  const facts = 'verdict' in found ? null : found;
  const content = facts?.content ?? null;
  const now = Date.now();
  const ofFacts = (judge: (facts: DatabaseFacts) => Found): Found =>
    facts ? judge(facts) : skipped('The database cannot be read.');
  /** Of a cluster, each server by its name. */
  const ofServers = (judge: (facts: DatabaseFacts) => Finding): Found =>
    ofFacts((known) => {
      if (known.servers.length < 2) return judge(known);
      return known.servers.map((server) => {
        const one = judge({ ...known, server });
        return { ...one, detail: `${server.name}: ${one.detail}` };
      });
    });
  const ofContent = (judge: (content: Content) => Found): Found =>
    ofFacts(() => (content ? judge(content) : skipped('The schema is not that of this program.')));
  const isFile = database.kind === 'sqlite';
  /** In the order of the report. */
  const report: Record<string, Found> = {
    configuration: configurationFindings(config),
    keys: keyFindings(config, content?.rootKeyHash ?? null),
    disk: isFile
      ? spaceFinding(database)
      : skipped('The disk of PostgreSQL is checked on its own machine.'),
    fsync: isFile ? fsyncFinding(database) : ofServers(serverFsyncFinding),
    database: [
      'verdict' in found ? found : databaseFinding(database, found),
      ...(isFile ? accessFindings(database) : []),
    ],
    migrations: ofServers(migrationFinding),
    clock: ofServers((known) => clockFinding(known, now)),
    backup: isFile
      ? backupFinding(database, backups, now)
      : ofServers(({ server }) =>
          archiveFinding(server?.archive ?? null, lastRecordAt(content), now),
        ),
    journal: ofContent(journalFindings),
    erasures: ofContent(({ erasingRealms }) => erasureFinding(erasingRealms, now)),
    rpc: await rpcFindings(config.rpcUrls),
    webhooks: ofContent(({ webhooks }) => webhookFindings(config, webhooks)),
    discord: await discordFinding(config),
    service: await serviceFinding(config),
  };
  return Object.entries(report).flatMap(([check, all]) =>
    [all].flat().map((one) => ({ check, ...one })),
  );
}
