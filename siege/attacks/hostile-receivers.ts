import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { define } from '../attack.ts';
import { creditOf } from './idempotency-keys.ts';

/** The beginning of an answer, and what is sent after it for ever. */
const ANSWERS: readonly (readonly [head: string, part: string])[] = [
  ['', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
];
const PARTS_AT_ONCE = 2_000;

export const hostileReceivers = define({
  name: 'hostile-receivers',
  description: '20 webhooks whose answers never end; 8 clients test them, one writes events',
  full: { webhooks: 20, testing: 8 },
  short: { webhooks: 4, testing: 4 },
  prepare: (seeder) => seeder.members(1),
  run: async (attacker, { webhooks, testing }) => {
    const first = Promise.withResolvers<void>();
    attacker.doesNotEndBefore(first.promise);
    const receiver = await startReceiver(() => {
      attacker.count('received');
      first.resolve();
    });
    const paths: string[] = [];
    for (let index = 0; index < webhooks; index++) {
      const url = `${receiver.url}${index % ANSWERS.length}`;
      const { id } = await attacker.call<{ id: string }>('POST', '/webhooks', { url });
      paths.push(attacker.path(`/webhooks/${id}/test`));
    }
    const pathOf = (client: number): string => paths[client % paths.length] ?? '';
    await Promise.all([
      attacker.clients(testing, (client) => attacker.request('POST', pathOf(client))),
      attacker.clients(1, () => creditOf(attacker, 1)),
    ]);
    receiver.stop();
  },
  faults: ({ received }) => (received ? [] : ['nothing was sent to the receivers']),
});

/** Answers by the number that is the path. */
async function startReceiver(onReceived: () => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.once('data', (bytes) => {
      onReceived();
      const [head, part] = ANSWERS[Number(/\/(\d+) /.exec(bytes.toString())?.[1])] ?? ['', ''];
      answerForEver(socket, head, Buffer.from(part.repeat(PARTS_AT_ONCE)));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}

function answerForEver(socket: Socket, head: string, parts: Buffer): void {
  const write = (): void => {
    while (socket.writable && socket.write(parts));
  };
  socket.write(head);
  socket.on('drain', write);
  write();
}
