import { parentPort, workerData } from 'node:worker_threads';
import type { BatchTiming } from '../../../ledger/batch-timing.ts';
import type { Unavailable } from '../../../ledger/errors.ts';
import { toDomainError } from '../errors.ts';
import { type Call, type FromThread, failureReply, type HostData, Outbox } from './thread.ts';

/**
 * The entry of a storage thread. SQLite is synchronous: here it may wait for the disk, so that the
 * thread that serves HTTP never does. One thread writes, one reads, and one verifies realms, so
 * that none of these delays a payment.
 */
const port = parentPort;
if (!port) throw new Error('this module is the entry of a worker thread');
const { role, path, isTimed } = workerData as HostData;
// A microtask runs once every outcome of a batch has been pushed, and before the next batch.
const outbox = new Outbox<FromThread>((text) => port.postMessage(text), queueMicrotask);

/** What a thread serves. */
interface Host {
  methods: { [M in Call['method']]?: (argument: never) => unknown };
  /** Runs all calls of one message. */
  together?(work: () => void): void;
  /** A caller gets its failure when this resolves. */
  examine?(failure: unknown): Promise<void>;
  close(): void | Promise<void>;
}

/** Each loads its own modules: all of them would take three times as long in every thread. */
const hosts: Record<HostData['role'], () => Promise<Host>> = {
  writer: async () => {
    const { InProcessLedger } = await import('../../../ledger/in-process-ledger.ts');
    const { Outage } = await import('../../../ledger/outage.ts');
    const { openSqliteStore } = await import('../store.ts');
    const store = openSqliteStore(path);
    const onTimed = isTimed ? (timing: BatchTiming) => outbox.push({ timing }) : null;
    const ledger = new InProcessLedger(store, Date.now, onTimed);
    ledger.onWritten((written) => outbox.push({ written }));
    const outage = new Outage(() => store.housekeeping.probe());
    let refusal: Unavailable | null = null;
    const report = (): void => {
      refusal = outage.cause;
      outbox.push({ outage: refusal && { reason: refusal.reason, message: refusal.message } });
    };
    outage.onUnavailable(report);
    outage.onAvailable(report);
    // A disk that is full at the start is known before the first write.
    await outage.check();
    return {
      methods: {
        ...ledger.housekeeping,
        execute: (command) => (refusal ? Promise.reject(refusal) : ledger.execute(command)),
      },
      examine: (failure) => outage.examine(failure),
      close: () => {
        outage.close();
        return ledger.close();
      },
    };
  },
  reader: async () => {
    const { openSqliteReader } = await import('../store.ts');
    const { reader, together, close } = openSqliteReader(path);
    return { methods: reader, together, close };
  },
  verifier: async () => {
    const { sqliteVerifier } = await import('../store.ts');
    const verifier = sqliteVerifier(path);
    return { methods: verifier.reader, close: () => verifier.stop() };
  },
};

const { methods, together = (work) => work(), examine, close } = await hosts[role]();

async function answer({ id, method, argument }: Call): Promise<void> {
  try {
    const serve = methods[method];
    if (!serve) throw new Error(`the ${role} thread does not serve ${method}`);
    outbox.push({ id, value: await serve(argument as never) });
  } catch (error) {
    const failure = toDomainError(error);
    await examine?.(failure);
    outbox.push(failureReply(id, failure));
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
