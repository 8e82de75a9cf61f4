import type { IncomingMessage } from 'node:http';

/** Smaller chunks are joined, up to about as much. */
const JOINED_BYTES = 4_096;
/** As much as is parsed at once: the parser calls back for every chunk, so more if they are few. */
const [MIN_PIECE, MAX_PIECE] = [2_048, 16_384];
const FEW_CHUNKS = 8;

/**
 * A body in chunks. Small ones are joined as Node's parser pushes them, so that what a body costs
 * depends on its bytes: four million chunks of one byte took more than a gigabyte.
 */
export class ChunkedBody {
  readonly #push: (bytes: Buffer | null) => boolean;
  #room = Buffer.allocUnsafe(JOINED_BYTES);
  #used = 0;
  #chunks = 0;
  /** How much of it is parsed next. */
  pieceBytes = MIN_PIECE;
  /** Whether its reader has enough for now. */
  isFull = false;

  /** `onWanted` is called when the reader wants more; it returns whether it sees to that. */
  constructor(request: IncomingMessage, onWanted: () => boolean) {
    this.#push = request.push.bind(request);
    request.push = (bytes: Buffer | null) => this.#add(bytes);
    const readOn = request._read.bind(request);
    request._read = (size) => {
      this.isFull = false;
      if (!onWanted()) readOn(size);
    };
  }

  /** Follows the parsing of each piece. */
  endPiece(): void {
    const isOfFew = this.#chunks <= FEW_CHUNKS;
    this.pieceBytes = isOfFew ? Math.min(2 * this.pieceBytes, MAX_PIECE) : MIN_PIECE;
    this.#chunks = 0;
  }

  #add(bytes: Buffer | null): boolean {
    this.#chunks += 1;
    if (bytes === null || bytes.length >= JOINED_BYTES) {
      this.#flush();
      return this.#pass(bytes);
    }
    if (bytes.length > this.#room.length - this.#used) this.#flush();
    if (bytes.length > this.#room.length) this.#room = Buffer.allocUnsafe(JOINED_BYTES);
    // Ticks run even between two chunks of the same read.
    if (this.#used === 0) setImmediate(this.#flush);
    this.#room.set(bytes, this.#used);
    this.#used += bytes.length;
    return !this.isFull;
  }

  readonly #flush = (): void => {
    if (this.#used === 0) return;
    const joined = this.#room.subarray(0, this.#used);
    this.#room = this.#room.subarray(this.#used);
    this.#used = 0;
    this.#pass(joined);
  };

  #pass(bytes: Buffer | null): boolean {
    this.isFull = !this.#push(bytes) && bytes !== null;
    return !this.isFull;
  }
}
