import { readConfig } from '../config.ts';
import { define } from './command.ts';
import { serveUntil, stopSignal } from './signals.ts';

export const serve = define({
  summary: 'Starts the service.',
  notes:
    'Prints its URL on stdout, and the root key if this first start generates one. Logs go to\n' +
    'stderr. SIGTERM or Ctrl-C stops the service after every accepted request is answered.',
  example: 'PORT=8080 DATABASE_URL=sqlite:data/realmkeep.db realmkeep serve',
  async run({ print }) {
    // Loaded here, so that other commands start without the web server.
    const { startService } = await import('../service.ts');
    const signal = stopSignal();
    const service = await startService(readConfig(), { onDeath: () => process.exit(1) });
    const { url, newRootKey } = service;
    const lines = [`Realmkeep listens on ${url}`];
    if (newRootKey !== null) {
      lines.push(
        `The root key is ${newRootKey}`,
        'It is shown only once: store it safely. To choose your own, set ROOT_KEY.',
      );
    }
    print({ text: lines.join('\n'), json: { url, rootKey: newRootKey } });
    await serveUntil(signal, service);
  },
});
