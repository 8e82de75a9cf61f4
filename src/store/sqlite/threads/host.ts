import { parentPort, workerData } from 'node:worker_threads';
import type { BatchTiming } from '../../../ledger/batch-timing.ts';
import { type Call, type FromThread, failureReply, type HostData, Outbox } from './protocol.ts';

/**
 * The entry of a storage thread. SQLite is synchronous: here it may wait for the disk, so that the
 * thread that serves HTTP never does. One thread writes, one reads, and one verifies realms, so
 * that none of these delays a payment.
 */
const port = parentPort;
if (!port) throw new Error('this module is the entry of a worker thread');
const { role, path, isTimed } = workerData as HostData;

/** What a thread serves. */
interface Host {
  methods: { [M in Call['method']]?: (argument: never) => unknown };
  /** Runs all calls of one message. */
  together(work: () => void): void;
  close(): void | Promise<void>;
}

/** Each loads its own modules: all of them would take three times as long in every thread. */
const hosts: Record<HostData['role'], () => Promise<Host>> = {
  writer: async () => {
    const { InProcessLedger } = await import('../../../ledger/in-process-ledger.ts');
    const { openSqliteStore } = await import('../store.ts');
    const onTimed = isTimed ? (timing: BatchTiming) => outbox.push({ timing }) : null;
    const ledger = new InProcessLedger(openSqliteStore(path), Date.now, onTimed);
    ledger.onWritten((written) => outbox.push({ written }));
    return {
      methods: { execute: (command) => ledger.execute(command), ...ledger.housekeeping },
      together: (work) => work(),
      close: () => ledger.close(),
    };
  },
  reader: async () => {
    const { openSqliteReader } = await import('../store.ts');
    const { reader, together, close } = openSqliteReader(path);
    return { methods: reader, together, close };
  },
  verifier: async () => {
    const { sqliteVerifier } = await import('../inspection.ts');
    const verifier = sqliteVerifier(path);
    return {
      methods: verifier.reader,
      together: (work) => work(),
      close: () => verifier.stop(),
    };
  },
};

const { methods, together, close } = await hosts[role]();
// A microtask runs once every outcome of a batch has been pushed, and before the next batch.
const outbox = new Outbox<FromThread>((text) => port.postMessage(text), queueMicrotask);

async function answer({ id, method, argument }: Call): Promise<void> {
  try {
    const serve = methods[method];
    if (!serve) throw new Error(`the ${role} thread does not serve ${method}`);
    outbox.push({ id, value: await serve(argument as never) });
  } catch (error) {
    outbox.push(failureReply(id, error));
  }
}

port.on('message', async (message: string | null) => {
  if (message !== null) {
    const calls: Call[] = JSON.parse(message);
    together(() => {
      for (const call of calls) void answer(call);
    });
    return;
  }
  await close();
  outbox.flush();
  port.close();
});
port.postMessage(null);
