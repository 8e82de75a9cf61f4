import type { AnswerTo, CommandName, CommandOf, Outcome } from '../../domain/commands.ts';
import { NO_LIMITS } from '../../engine/gate.ts';
import type { Executor, Ledger } from '../../engine/ledger.ts';
import { Thread } from './thread.ts';

type WriterThread = Executor & Pick<Ledger, 'close'>;

/** Executes commands in a thread of its own. One that dies rejects whatever waits for it. */
export async function startWriter(path: string): Promise<WriterThread> {
  const thread = await Thread.start({
    role: 'writer',
    path,
    onDeath: () => undefined,
    onFailure: async () => undefined,
    onWritten: () => undefined,
    onTimed: null,
    limits: NO_LIMITS,
    resourceLimits: {},
  });
  return {
    execute: <N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> =>
      thread.call('execute', command),
    close: () => thread.close(),
  };
}
