import { readConfig } from '../config/config.ts';
import { createConsoleLink } from '../keys/console-link.ts';
import { openRootKey } from '../keys/root-key.ts';
import { OperatorError } from '../operator-error.ts';
import { define } from './command.ts';
import { withLedger } from './with-ledger.ts';

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
    const { host, port } = config;
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    const link = await withLedger(async (ledger) => {
      const { hash } = await openRootKey(ledger, config);
      return createConsoleLink(ledger, hash, `${url}/`);
    });
    print({ text: link, json: { link } });
  },
});
