import { connect } from 'node:net';
import { answerLines } from './answering.ts';

/** What the first line asks for: a stream for each path. */
export interface Listening {
  host: string;
  port: number;
  key: string;
  paths: readonly string[];
}

export interface Listened {
  open: number;
  events: number;
  /** Events that were not the next of their stream: one was missed or came twice. */
  outOfOrder: number;
}

const counts: Listened = { open: 0, events: 0, outOfOrder: 0 };
/** So that the server's queue of connections does not overflow. */
const AT_ONCE = 100;

/** Opens the streams of the first line, and answers every line with what has become of them. */
answerLines('ready', async (line): Promise<Listened> => {
  if (line !== '') await listen(JSON.parse(line) as Listening);
  return counts;
});

async function listen({ host, port, key, paths }: Listening): Promise<void> {
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const some = paths.slice(from, from + AT_ONCE);
    await Promise.all(some.map((path) => open(host, port, key, path)));
  }
}

/** Resolves when the stream has begun. */
function open(host: string, port: number, key: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n` +
        `authorization: Bearer ${key}\r\n\r\n`,
    );
    socket.setEncoding('latin1');
    let isOpen = false;
    let rest = '';
    let last: number | null = null;
    const count = (id: number): void => {
      counts.events += 1;
      if (last !== null && id !== last + 1) counts.outOfOrder += 1;
      last = id;
    };
    socket.on('data', (text: string) => {
      if (!isOpen && text.startsWith('HTTP/1.1 200 ')) {
        isOpen = true;
        counts.open += 1;
        resolve();
      }
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('id: ')) count(Number(line.slice(4)));
    });
    socket.once('error', reject);
    socket.once('close', () => {
      if (isOpen) counts.open -= 1;
      reject(new Error('a stream was refused'));
    });
  });
}
