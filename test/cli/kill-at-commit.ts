/**
 * Loaded first, this kills the process with SIGKILL at its n-th commit that changes something,
 * before or after it: `KILL_AT=before:2`.
 */
import { Socket } from 'node:net';
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite';

const [when = '', count] = (process.env.KILL_AT ?? '').split(':');
const kill = () => process.kill(process.pid, 'SIGKILL');
let commits = 0;

function around<T>(commit: () => T, killAfter: () => void): T {
  commits += 1;
  const isLast = commits === Number(count);
  if (isLast && when === 'before') kill();
  const result = commit();
  if (isLast) killAfter();
  return result;
}

const { exec } = DatabaseSync.prototype;
const { run } = StatementSync.prototype;
let isChanged = false;

StatementSync.prototype.run = function (this: StatementSync, ...args: SQLInputValue[]) {
  isChanged = true;
  return run.apply(this, args as never);
} as typeof run;

DatabaseSync.prototype.exec = function (sql) {
  if (sql !== 'COMMIT' || !isChanged) return exec.call(this, sql);
  isChanged = false;
  return around(() => exec.call(this, sql), kill);
};

const { write } = Socket.prototype;
/** A record of the journal, in an array that is sent to PostgreSQL. */
const RECORD = 'memberId\\"';

Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
  const sent = String(args[0]);
  const send = () => write.apply(this, args as Parameters<typeof write>);
  isChanged ||= sent.includes(RECORD);
  if (!sent.includes('COMMIT\0') || !isChanged) return send();
  isChanged = false;
  // It leaves with the next turn of the event loop.
  return around(send, () => setImmediate(kill));
} as typeof write;
