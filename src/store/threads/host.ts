import { parentPort, workerData } from 'node:worker_threads';
import type { BatchTiming } from '../../ledger/batch-timing.ts';
import { reasonOf } from '../../ledger/errors.ts';
import type { Availability } from '../../ledger/store.ts';
import { type Call, type FromThread, failureReply, type HostData, Outbox } from './thread.ts';

/**
 * The entry of a storage thread: here it may wait for the disk, decide commands and decode rows, so
 * that the thread that serves HTTP never does.
 */
const port = parentPort;
if (!port) throw new Error('this module is the entry of a worker thread');
const { role, database, isTimed } = workerData as HostData;
// SQLite pushes every outcome of a batch before a microtask runs. A server's results come one by
// one, many in one turn of the event loop.
const later = role === 'postgres' ? setImmediate : queueMicrotask;
const outbox = new Outbox<FromThread>((text) => port.postMessage(text), later);

const onTimed = isTimed ? (timing: BatchTiming) => outbox.push({ timing }) : null;

interface Host {
  methods: { [M in Call['method']]?: (argument: never) => unknown };
  /** Runs all calls of one message. */
  together?(work: () => void): void;
  /** What a caller gets for an error, when this resolves. */
  explain?(error: unknown): unknown;
  close(): void | Promise<void>;
}

/** Callers wait while PostgreSQL is away, for so long, for the outcome of a write. */
const CALLERS_WAIT_MS = 700;

/** Each loads its own modules: all of them would take three times as long in every thread. */
const hosts: Record<HostData['role'], () => Promise<Host>> = {
  writer: async () => {
    const { InProcessLedger } = await import('../../ledger/in-process-ledger.ts');
    const { Outage } = await import('../../ledger/outage.ts');
    const { toDomainError } = await import('../sqlite/errors.ts');
    const { openSqliteStore } = await import('../sqlite/store.ts');
    const store = openSqliteStore(database);
    const ledger = new InProcessLedger(store, Date.now, onTimed);
    ledger.onWritten((written) => outbox.push({ written }));
    const outage = new Outage(() => store.housekeeping.probe());
    report(outage);
    // A disk that is full at the start is known before the first write.
    await outage.check();
    return {
      methods: {
        ...ledger.housekeeping,
        execute: (command) =>
          outage.cause ? Promise.reject(outage.cause) : ledger.execute(command),
      },
      explain: async (error) => {
        const failure = toDomainError(error);
        await outage.examine(failure);
        return failure;
      },
      close: () => {
        outage.close();
        return ledger.close();
      },
    };
  },
  reader: async () => {
    const { toDomainError } = await import('../sqlite/errors.ts');
    const { openSqliteReader } = await import('../sqlite/store.ts');
    const { reader, together, close } = openSqliteReader(database);
    return { methods: reader, together, explain: toDomainError, close };
  },
  verifier: async () => {
    const { toDomainError } = await import('../sqlite/errors.ts');
    const { sqliteVerifier } = await import('../sqlite/store.ts');
    const verifier = sqliteVerifier(database);
    return { methods: verifier.reader, explain: toDomainError, close: () => verifier.stop() };
  },
  postgres: async () => {
    const { openPostgresLedger } = await import('../postgres/ledger.ts');
    const ledger = await openPostgresLedger(database, {
      settleMs: CALLERS_WAIT_MS,
      onTimed,
      events: { onRefused: (error) => outbox.push({ refused: reasonOf(error) }) },
      onServer: (server, cause) => {
        outbox.push({ server, away: cause && reasonOf(cause.cause ?? cause) });
      },
    });
    report(ledger.availability);
    ledger.onWritten((written) => outbox.push({ written }));
    return {
      methods: {
        ...ledger.reader,
        ...ledger.housekeeping,
        execute: (command) => ledger.execute(command),
      },
      close: () => ledger.close(),
    };
  },
};

function report(availability: Availability): void {
  availability.onChange((unavailable) => {
    if (unavailable === null) return outbox.push({ outage: null });
    const { reason, message, cause = unavailable } = unavailable;
    outbox.push({ outage: { reason, message, cause: reasonOf(cause) } });
  });
}

const { methods, together = (work) => work(), explain, close } = await hosts[role]();

async function answer({ id, method, argument }: Call): Promise<void> {
  try {
    const serve = methods[method];
    if (!serve) throw new Error(`the ${role} thread does not serve ${method}`);
    outbox.push({ id, value: await serve(argument as never) });
  } catch (error) {
    outbox.push(failureReply(id, explain ? await explain(error) : error));
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
