import { type Config, pageUrl, readConfig } from '../config/config.ts';
import { createConsoleLink, openRootKey, ROOT_KEY_ELSEWHERE } from '../config/keys.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { Service } from '../service.ts';
import { claimDatabase } from '../storage/storage.ts';
import { define, type Result } from './command.ts';
import { abortOf, stopSignal } from './signals.ts';
import { table } from './terminal.ts';
import { withLedger } from './with-ledger.ts';

export const serve = define({
  summary: 'Starts the service.',
  notes:
    'Prints its URL and where the root key is; the first start also the key and a link that\n' +
    'invites the owner, on a terminal and with --json. Logs go to stderr. SIGTERM or Ctrl-C\n' +
    'stops the service after every accepted request is answered.',
  example: 'PORT=8080 DATABASE_URL=sqlite:data/realmkeep.db npx realmkeep serve',
  showsSettings: true,
  async run({ print }) {
    const config = readConfig();
    // Loaded here, so that wrong settings and other commands do not wait for the web server.
    const { startService } = await import('../service.ts');
    const signal = stopSignal();
    using _claim = await claimDatabase(config.database);
    const service = await startService(config, { onDeath: () => process.exit(1) });
    print(await introduction(service, config));
    await abortOf(signal);
    await service.stop();
  },
});

/** Secrets are for people at a terminal: what is written elsewhere is kept, as the log is. */
async function introduction(service: Service, config: Config): Promise<Result> {
  const { url, rootKey, hasRealms, hasOwners, createConsoleLink } = service;
  const { created, from } = rootKey;
  const isTerminal = process.stdout.isTTY;
  const isFirst = created !== null || !hasRealms;
  // Its page makes the first owner, unless there is one.
  const page = hasOwners ? '/' : '/join';
  const consoleLink = (isFirst && (await createConsoleLink?.(page))) || null;
  const consoleRow =
    consoleLink && isTerminal
      ? ['Console (link works once, for 10 minutes)', consoleLink]
      : ['Console', service.console];
  const docs = `${url}/docs`;
  const next = hasRealms
    ? ['List realms', 'npx realmkeep realm list']
    : ['Create a realm', 'npx realmkeep realm create acme --name Acme'];
  const rows = [
    ...(createConsoleLink ? [consoleRow] : []),
    ...(consoleLink && !isTerminal ? [['Link that signs in', 'npx realmkeep console-link']] : []),
    ['API reference', docs],
    next,
    ['More commands', 'npx realmkeep --help'],
  ];
  const note = config.isDatabaseFound ? '' : '\nSet the same DATABASE_URL for these commands.';
  const key = rootKeyText(rootKey, isTerminal);
  return {
    text: `Realmkeep listens on ${url}\n${key}\n\n${table(rows)}${note}`,
    json: { url, docs, consoleLink, rootKey: created, rootKeyFrom: from },
  };
}

function rootKeyText({ created, from }: Service['rootKey'], isTerminal: boolean): string {
  if (created !== null) {
    const shown = isTerminal ? created : 'new.';
    const place = `It is stored in ${from}, where later starts find it.`;
    return `The root key is ${shown}\n${place} To choose your own, set ROOT_KEY.`;
  }
  if (from !== null) return `The root key comes from ${from}.`;
  return ROOT_KEY_ELSEWHERE.join('\n');
}

export const consoleLink = define({
  summary: 'Prints a link that signs in to the console.',
  notes:
    'It signs in as root, once and within 10 minutes, at PUBLIC_URL. The service may be running.',
  example: 'npx realmkeep console-link',
  async run({ print }) {
    const config = readConfig();
    if (config.console === 'off') {
      throw new OperatorError('console-off', 'The console is switched off by CONSOLE=off.');
    }
    const link = await withLedger(async (ledger) => {
      const { hash } = await openRootKey(ledger, config);
      return createConsoleLink(ledger, hash, pageUrl(config, config.port, '/'));
    });
    print({ text: link, json: { link } });
  },
});
