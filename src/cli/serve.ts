import { readConfig } from '../config.ts';
import { startService } from '../service.ts';
import { define } from './command.ts';
import { serveUntil, stopSignal } from './stopping.ts';

export const serve = define({
  summary: 'Starts the service.',
  notes:
    'The address is printed on stdout, and so is the root key that a first start makes; logs go\n' +
    'to stderr. SIGTERM or Ctrl-C stops it once every accepted request is answered.',
  args: [],
  options: {},
  example: 'PORT=8080 DATABASE_URL=sqlite:data/realmkeep.db realmkeep serve',
  async run({ say }) {
    const signal = stopSignal();
    const service = await startService(readConfig(), { onDeath: () => process.exit(1) });
    const { url, newRootKey } = service;
    const lines = [`Realmkeep listens on ${url}`];
    if (newRootKey !== null) {
      lines.push(
        `The root key is ${newRootKey}`,
        'It is shown only now: keep it safe. To have one of your own, set ROOT_KEY.',
      );
    }
    say({ text: lines.join('\n'), json: { url, rootKey: newRootKey } });
    await serveUntil(signal, service);
  },
});
