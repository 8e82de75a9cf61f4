const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';

/**
 * Finds the answers in what a connection receives and skips their bodies unread: an attacker that
 * parsed them would take more of the machine than the service it attacks.
 */
export class AnswerReader {
  readonly #onAnswer: (status: number, isLast: boolean) => void;
  /** An incomplete head or line. */
  #rest: Buffer = Buffer.alloc(0);
  /** How many bytes of a body, or of a chunk of it, are still to come. */
  #remaining = 0;
  #isChunked = false;
  #status = 0;
  #isLast = false;

  /** `isLast` says that the service closes the connection after this answer. */
  constructor(onAnswer: (status: number, isLast: boolean) => void) {
    this.#onAnswer = onAnswer;
  }

  read(received: Buffer): void {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, received]) : received;
    while (bytes.length > 0) {
      const taken = this.#take(bytes);
      if (taken === 0) break;
      bytes = bytes.subarray(taken);
    }
    this.#rest = bytes;
  }

  /** Returns how many bytes it took: none if more have to arrive first. */
  #take(bytes: Buffer): number {
    if (this.#remaining > 0) return this.#takeBody(bytes);
    return this.#isChunked ? this.#takeChunkSize(bytes) : this.#takeHead(bytes);
  }

  #takeHead(bytes: Buffer): number {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return 0;
    const head = bytes.toString('latin1', 0, end).toLowerCase();
    this.#status = Number(head.slice(9, 12));
    this.#isLast = head.includes('\nconnection: close');
    this.#isChunked = head.includes('\ntransfer-encoding: chunked');
    this.#remaining = Number(/\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    if (this.#remaining === 0 && !this.#isChunked) this.#complete();
    return end + HEAD_END.length;
  }

  #takeBody(bytes: Buffer): number {
    const taken = Math.min(this.#remaining, bytes.length);
    this.#remaining -= taken;
    if (this.#remaining === 0 && !this.#isChunked) this.#complete();
    return taken;
  }

  #takeChunkSize(bytes: Buffer): number {
    const end = bytes.indexOf(LINE_END);
    if (end < 0) return 0;
    const size = Number.parseInt(bytes.toString('latin1', 0, end), 16);
    if (size > 0) {
      this.#remaining = size + LINE_END.length;
      return end + LINE_END.length;
    }
    if (bytes.length < end + HEAD_END.length) return 0;
    this.#isChunked = false;
    this.#complete();
    return end + HEAD_END.length;
  }

  #complete(): void {
    // An interim answer, such as 100, precedes the one that counts.
    if (this.#status >= 200) this.#onAnswer(this.#status, this.#isLast);
  }
}
