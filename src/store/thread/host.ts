import { parentPort, workerData } from 'node:worker_threads';
import { Overloaded } from '../../domain/keeper.ts';
import { LocalKeeper } from '../../domain/local-keeper.ts';
import { openSqliteReader, openSqliteStore } from '../sqlite/store.ts';
import { type Call, type HostData, Outbox, type Reply } from './protocol.ts';

/**
 * The entry of a storage thread. SQLite is synchronous: here it may wait for the disk, and the
 * thread that serves HTTP never does. The writer and the reader are two threads, so that a long
 * list does not hold up a payment; the reader also follows the journals into the views.
 */
const port = parentPort;
if (!port) throw new Error('this module is the entry of a worker thread');
const { role, path } = workerData as HostData;

type Serve = (call: Call) => unknown;

interface Host {
  serve: Serve;
  /** Does what one message asks for. */
  together(work: () => void): void;
  close(): void | Promise<void>;
}

function writer(): Host {
  const keeper = new LocalKeeper(openSqliteStore(path));
  const housekeeping = keeper.housekeeping as unknown as Record<string, (a: unknown) => unknown>;
  return {
    serve: (call) => {
      if ('execute' in call) return keeper.execute(call.execute as never);
      if ('query' in call) return keeper.ask(call.query, call.ask as never);
      return housekeeping[call.housekeeping]?.(call.argument);
    },
    together: (work) => work(),
    close: () => keeper.close(),
  };
}

function reader(): Host {
  const { reader: answers, following, together, close } = openSqliteReader(path);
  const chores = following as unknown as Record<string, (a: unknown) => unknown>;
  return {
    serve: (call) => {
      if ('query' in call) return answers[call.query](call.ask as never);
      if ('housekeeping' in call) return chores[call.housekeeping]?.(call.argument);
      throw new Error('the reading thread carries out no commands');
    },
    together,
    close,
  };
}

const host: Host = role === 'writer' ? writer() : reader();
// A microtask runs once every outcome of a batch has been pushed, and before the next batch.
const outbox = new Outbox<Reply>((text) => port.postMessage(text), queueMicrotask);

async function answer(call: Call): Promise<void> {
  try {
    outbox.push({ id: call.id, value: await host.serve(call) });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outbox.push({ id: call.id, error: text, overloaded: error instanceof Overloaded });
  }
}

port.on('message', async (message: string | null) => {
  if (message !== null) {
    const calls: Call[] = JSON.parse(message);
    host.together(() => {
      for (const call of calls) void answer(call);
    });
    return;
  }
  await host.close();
  outbox.flush();
  port.close();
});
port.postMessage(null);
