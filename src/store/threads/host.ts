import { parentPort, workerData } from 'node:worker_threads';
import type { Reader } from '../../domain/queries.ts';
import { InProcessLedger } from '../../engine/in-process-ledger.ts';
import type { ProjectionMaintenance } from '../../engine/store.ts';
import { openSqliteProjections, openSqliteReader, openSqliteStore } from '../sqlite/store.ts';
import { type Call, failureReply, type HostData, Outbox, type Reply } from './protocol.ts';

/**
 * The entry of a storage thread. SQLite is synchronous: here it may wait for the disk, so that the
 * thread that serves HTTP never does. One thread writes, one reads, and one maintains and reads the
 * projections, so that neither a long list nor a projection delays a payment.
 */
const port = parentPort;
if (!port) throw new Error('this module is the entry of a worker thread');
const { role, path } = workerData as HostData;

type Serve = (call: Call) => unknown;

interface Host {
  serve: Serve;
  /** Runs all calls of one message. */
  together(work: () => void): void;
  close(): void | Promise<void>;
}

function writer(): Host {
  const ledger = new InProcessLedger(openSqliteStore(path));
  const housekeeping = ledger.housekeeping as unknown as Record<string, (a: unknown) => unknown>;
  return {
    serve: (call) => {
      if ('execute' in call) return ledger.execute(call.execute as never);
      if ('query' in call) return ledger.query(call.query, call.params as never);
      return housekeeping[call.housekeeping]?.(call.argument);
    },
    together: (work) => work(),
    close: () => ledger.close(),
  };
}

function reader(): Host {
  const { reader: queries, together, close } = openSqliteReader(path);
  return { serve: answering(queries), together, close };
}

function projections(): Host {
  const projections = openSqliteProjections(path);
  const answer = answering(projections.reader);
  return {
    serve: (call) =>
      'housekeeping' in call
        ? projections.maintenance[call.housekeeping as keyof ProjectionMaintenance](
            call.argument as never,
          )
        : answer(call),
    together: (work) => projections.together(work),
    close: () => projections.close(),
  };
}

function answering(queries: Partial<Reader>): Serve {
  return (call) => {
    const query = 'query' in call ? queries[call.query] : undefined;
    if (!query) throw new Error(`the ${role} thread does not serve this call`);
    return (query as (params: unknown) => unknown)((call as { params: unknown }).params);
  };
}

const hosts = { writer, reader, projections };
const host: Host = hosts[role]();
// A microtask runs once every outcome of a batch has been pushed, and before the next batch.
const outbox = new Outbox<Reply>((text) => port.postMessage(text), queueMicrotask);

async function answer(call: Call): Promise<void> {
  try {
    outbox.push({ id: call.id, value: await host.serve(call) });
  } catch (error) {
    outbox.push(failureReply(call.id, error));
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
