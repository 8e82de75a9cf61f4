import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { slices } from '../engine/slices.ts';

const PIECE_BYTES = 64 * 1024;

/**
 * Sends a file in pieces, a few in each iteration of the event loop: to write megabytes at once, or
 * a piece to each of hundreds, takes milliseconds, for which all others would wait.
 */
export const sendFile = (reply: FastifyReply, bytes: Buffer): FastifyReply =>
  bytes.length <= PIECE_BYTES
    ? reply.send(bytes)
    : reply.header('content-length', bytes.length).send(inPieces(bytes));

function inPieces(bytes: Buffer): Readable {
  let sent = 0;
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      void slices.runStep('sent files', null, () => {
        const piece = bytes.subarray(sent, sent + PIECE_BYTES);
        sent += piece.length;
        this.push(piece.length > 0 ? piece : null);
      });
    },
  });
}
