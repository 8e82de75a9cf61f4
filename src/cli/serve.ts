import { type Config, localUrl, readConfig } from '../config/config.ts';
import { createConsoleLink, openRootKey } from '../config/keys.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { Service } from '../service.ts';
import { define, type Result } from './command.ts';
import { abortOf, stopSignal } from './signals.ts';
import { table } from './terminal.ts';
import { withLedger } from './with-ledger.ts';

export const serve = define({
  summary: 'Starts the service.',
  notes:
    'Prints its URL, where the root key is, and the key itself if this start creates it. Logs\n' +
    'go to stderr. SIGTERM or Ctrl-C stops the service after every accepted request is answered.',
  example: 'PORT=8080 DATABASE_URL=sqlite:data/realmkeep.db npx realmkeep serve',
  showsSettings: true,
  async run({ print }) {
    const config = readConfig();
    // Loaded here, so that wrong settings and other commands do not wait for the web server.
    const { startService } = await import('../service.ts');
    const signal = stopSignal();
    const service = await startService(config, { onDeath: () => process.exit(1) });
    print(await introduction(service, config));
    await abortOf(signal);
    await service.stop();
  },
});

async function introduction(service: Service, config: Config): Promise<Result> {
  const { url, rootKey, hasRealms, createConsoleLink } = service;
  const { created, from } = rootKey;
  const isFirst = created !== null || !hasRealms;
  const consoleLink = (isFirst && (await createConsoleLink?.())) || null;
  const consoleRow = consoleLink
    ? ['Console, signed in once within 10 minutes', consoleLink]
    : ['Console', `${url}/`];
  const docs = `${url}/docs`;
  const next = hasRealms
    ? ['List realms', 'npx realmkeep realm list']
    : ['Create a realm', 'npx realmkeep realm create acme --name Acme'];
  const rows = [
    ...(createConsoleLink ? [consoleRow] : []),
    ['API reference', docs],
    next,
    ['More commands', 'npx realmkeep --help'],
  ];
  const note = config.isDatabaseFound ? '' : '\nSet the same DATABASE_URL for these commands.';
  return {
    text: `Realmkeep listens on ${url}\n${rootKeyText(rootKey)}\n\n${table(rows)}${note}`,
    json: { url, docs, consoleLink, rootKey: created, rootKeyFrom: from },
  };
}

function rootKeyText({ created, from }: Service['rootKey']): string {
  if (created !== null) {
    const place = `It is stored in ${from}, where later starts find it.`;
    return `The root key is ${created}\n${place} To choose your own, set ROOT_KEY.`;
  }
  if (from !== null) return `The root key comes from ${from}.`;
  return (
    'The root key is the one that an earlier start created and stored elsewhere in root.key.\n' +
    'To choose another one, set ROOT_KEY.'
  );
}

export const consoleLink = define({
  summary: 'Prints a link that signs in to the console.',
  notes:
    'It signs in as root, once and within 10 minutes. The service may be running. If it is\n' +
    'reached at another address than HOST and PORT, put #code=… behind that address instead.',
  example: 'npx realmkeep console-link',
  async run({ print }) {
    const config = readConfig();
    if (config.console === 'off') {
      throw new OperatorError('console-off', 'The console is switched off by CONSOLE=off.');
    }
    const link = await withLedger(async (ledger) => {
      const { hash } = await openRootKey(ledger, config);
      return createConsoleLink(ledger, hash, `${localUrl(config)}/`);
    });
    print({ text: link, json: { link } });
  },
});
