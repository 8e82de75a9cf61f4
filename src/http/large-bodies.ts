import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Shape } from '../contract/body-shape.ts';
import type { IgnoredFields } from '../contract/ignored-fields.ts';
import { type Json, readJsonInSlices } from '../contract/json.ts';
import type { JsonSource } from '../contract/key-order.ts';
import { slices } from '../engine/slices.ts';
import { BodyBudget, type Reservation } from './body-budget.ts';

/** Bodies from this size on are handled in slices; nearly all are smaller. */
export const LARGE_BODY = 8 * 1024;

/** A request whose body is large, or may become so. */
export class LargeBody {
  readonly #request: FastifyRequest;
  readonly #reservation: Reservation;
  /** The text of the body, if its fingerprint is wanted. */
  source: JsonSource | null = null;
  ignored: IgnoredFields | null = null;

  constructor(request: FastifyRequest, reservation: Reservation) {
    this.#request = request;
    this.#reservation = reservation;
  }

  /** Once the body has been read, its size is known even if it was not announced. */
  isLarge(bytes: number): boolean {
    const isLarge = bytes >= LARGE_BODY;
    this.#reservation.shrinkTo(isLarge ? bytes : 0);
    return isLarge;
  }

  /** Parses the body; keeps its text if a fingerprint will be needed. */
  async read(bytes: Buffer, shape: Shape, isRetryable: boolean): Promise<Json> {
    const read = await this.run(readJsonInSlices(bytes, shape, isRetryable));
    this.ignored = read.ignored;
    if (isRetryable) this.source = read;
    return read.value;
  }

  run<T>(work: Generator<unknown, T>): Promise<T> {
    return slices.run(this.#reservation.realm, this.#request.raw.socket, work);
  }
}

/** Admits large bodies, within bounds of memory, and shares the time that they take. */
export class LargeBodies {
  readonly #budget: BodyBudget;

  constructor(largestBody: number) {
    this.#budget = new BodyBudget(largestBody);
  }

  /** Reserves memory before the body is read, and returns it when the answer is sent. */
  async admit(
    realm: string,
    bytes: number,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const reservation = await this.#budget.reserve(realm, bytes);
    const release = (): void => reservation.shrinkTo(0);
    request.largeBody = new LargeBody(request, reservation);
    if (reply.raw.closed) release();
    else reply.raw.once('close', release);
  }
}
