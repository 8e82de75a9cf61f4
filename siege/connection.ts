import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';

/** One raw connection of an attacker. */
export class Connection {
  readonly socket: Socket;
  #isUsable = true;
  #onAnswer: ((status: number) => void) | null = null;
  #expected = 0;
  #onLast: ((status: number | null) => void) | null = null;

  private constructor(socket: Socket) {
    this.socket = socket;
    const reader = new AnswerReader((status, isLast) => {
      if (isLast) this.#isUsable = false;
      this.#onAnswer?.(status);
      this.#expected -= 1;
      if (this.#expected === 0) this.#settle(status);
    });
    socket.on('data', (bytes: Buffer) => reader.read(bytes));
    socket.on('close', () => {
      this.#isUsable = false;
      this.#settle(null);
    });
  }

  /** Null if the service does not accept the connection. The signal closes it. */
  static async open(
    { hostname: host, port }: URL,
    signal: AbortSignal,
  ): Promise<Connection | null> {
    const socket = connect({ host, port: Number(port), noDelay: true, signal });
    socket.on('error', () => undefined);
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    return isOpen ? new Connection(socket) : null;
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  get isClosed(): boolean {
    return this.socket.destroyed;
  }

  watch(onAnswer: (status: number) => void): void {
    this.#onAnswer = onAnswer;
  }

  send(parts: readonly (string | Buffer)[]): void {
    this.socket.cork();
    for (const part of parts) this.socket.write(part);
    this.socket.uncork();
  }

  /**
   * The status of the next answer, or of the last of several; null if the connection closes first.
   * To be called in the same turn as `send`: answers that nobody waits for are not remembered.
   */
  answer(count = 1): Promise<number | null> {
    if (this.isClosed) return Promise.resolve(null);
    this.#expected = count;
    return new Promise((resolve) => {
      this.#onLast = resolve;
    });
  }

  /** Takes whatever arrives from now on for the rest of an answer that does not end. */
  discard(): void {
    this.socket.removeAllListeners('data').resume();
  }

  destroy(): void {
    this.socket.destroy();
  }

  #settle(status: number | null): void {
    this.#onLast?.(status);
    this.#onLast = null;
  }
}
