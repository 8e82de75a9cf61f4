import { parentPort, workerData } from 'node:worker_threads';
import { type Post, WebhookClient } from './client.ts';
import type { FromClient, HostData, ToClient } from './client-thread.ts';
import { Targets } from './targets.ts';

const port = parentPort;
if (!port) throw new Error('this module is the entry of a worker thread');
const { allowPrivate, deadlineMs } = workerData as HostData;
const client = new WebhookClient(new Targets(allowPrivate), deadlineMs);
const interrupts = new Map<number, AbortController>();

async function post(id: number, message: Post): Promise<void> {
  const interrupt = new AbortController();
  interrupts.set(id, interrupt);
  try {
    const outcome = await client.post(message, interrupt.signal);
    port?.postMessage({ id, outcome } satisfies FromClient);
  } catch (error) {
    // Then nobody waits for it.
    if (!interrupt.signal.aborted) throw error;
  } finally {
    interrupts.delete(id);
  }
}

port.on('message', (message: ToClient) => {
  if ('id' in message) void post(message.id, message.message);
  else interrupts.get(message.interrupted)?.abort();
});
