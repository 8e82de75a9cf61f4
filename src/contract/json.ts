import type { Buffer } from 'node:buffer';
import type { Shape } from './body-shape.ts';
import { IgnoredFields } from './ignored-fields.ts';
import { fieldPath, pointerOf } from './json-path.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  decode,
  END,
  JsonError,
  malformed,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  refused,
  Scanner,
  shortened,
  storable,
} from './json-scanner.ts';
import { type JsonSource, KeyOrder } from './key-order.ts';
import { LongString } from './long-string.ts';

export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

/** A large body that was read. */
export interface ReadBody extends JsonSource {
  readonly value: Json;
  /** Null if there are none. */
  readonly ignored: IgnoredFields | null;
}

const MAX_DEPTH = 64;
/** So many keys are compared one by one, which is faster than hashing them. */
const FEW_KEYS = 8;
/** Characters that are read before other work has its turn: well below a millisecond. */
const SLICE = 16_384;
/** More than any body has; V8 counts faster with small integers than with Infinity. */
const UNBOUNDED = 2 ** 30;
const EVERYTHING: Shape = { fields: null, items: null, isFreeForm: true, most: UNBOUNDED };

/** Parses a request body. Throws JsonError with the first fault in the text. */
export function readJson(bytes: Buffer): Json {
  const reader = new Reader(decode(bytes), EVERYTHING, null);
  reader.advance(UNBOUNDED);
  return reader.result;
}

/** Parses a large body in slices, of which only what has a place in `shape` is built. */
export function* readJsonInSlices(
  bytes: Buffer,
  shape: Shape,
  isCanonicalWanted: boolean,
  slice = SLICE,
): Generator<void, ReadBody> {
  const text = decode(bytes);
  const order = new KeyOrder();
  const reader = new Reader(text, shape, isCanonicalWanted ? order : null);
  do yield;
  while (!reader.advance(slice));
  return { value: reader.result, text, order, ignored: reader.ignored };
}

/** An array or object that is being read. */
class Frame {
  isObject = false;
  start = 0;
  shape: Shape | null = null;
  /** Null if it is not built. */
  container: Json[] | { [key: string]: Json } | null = null;
  /** Of the value that is being read in an object; null while the key itself is read. */
  key: string | null = null;
  /** Of the value that is being read in an array. */
  index = 0;
  /** The keys of an object whose values are not built; many of them also as a set. */
  skipped: string[] | null = null;
  manySkipped: Set<string> | null = null;
  /** Where the keys of an object are, if their order is wanted. */
  keyPlaces: number[] | null = null;
  isSorted = true;

  hasSkipped(key: string): boolean {
    if (this.skipped === null) return false;
    return this.manySkipped?.has(key) ?? this.skipped.includes(key);
  }

  skip(key: string): void {
    this.skipped ??= [];
    if (this.skipped.push(key) < FEW_KEYS) return;
    this.manySkipped ??= new Set(this.skipped);
    this.manySkipped.add(key);
  }

  /** Arrays are used again rather than made for each of a million objects. */
  clear(): void {
    if (this.skipped) this.skipped.length = 0;
    if (this.keyPlaces) this.keyPlaces.length = 0;
    this.manySkipped = null;
    this.isSorted = true;
    this.key = null;
  }
}

/**
 * Reads in one pass, with a stack of its own rather than by recursion, so that it can pause
 * anywhere. The depth limit bounds the stack.
 */
class Reader extends Scanner {
  result: Json = null;
  ignored: IgnoredFields | null = null;
  /** Frames are used again: most bodies need one or two. */
  readonly #frames: Frame[] = [];
  readonly #order: KeyOrder | null;
  #depth = 0;
  /** Of the value that comes next; null if it is not built. */
  #shape: Shape | null;
  /** How many values may still be built in the current free-form one. */
  #valuesLeft: number;
  /** A string that is being read in parts, and the value of those so far. */
  #long: LongString | null = null;
  #longValue = '';
  #isComplete = false;

  constructor(text: string, shape: Shape, order: KeyOrder | null) {
    super(text);
    this.#shape = shape;
    this.#valuesLeft = shape.most;
    this.#order = order;
  }

  /** Reads about so many characters; true at the end of the text. */
  advance(characters: number): boolean {
    const pause = this.at + characters;
    try {
      if (this.at === 0 && this.next() === END) {
        throw malformed('The body is empty or only white space.');
      }
      while (!this.#isComplete && this.at < pause) {
        if (this.#long === null) this.#readValue();
        else this.#readPart(this.#long);
      }
      return this.#isComplete;
    } catch (error) {
      if (error instanceof JsonError && error.kind === 'refused') {
        error.pointer = pointerOf(this.#frames.slice(0, this.#depth));
      }
      throw error;
    }
  }

  /** Reads a plain value, or the beginning of an array or object. */
  #readValue(): void {
    const code = this.next();
    if (code === OPEN_BRACE) this.#open(true, CLOSE_BRACE);
    else if (code === OPEN_BRACKET) this.#open(false, CLOSE_BRACKET);
    else if (code === QUOTE) this.#readString();
    else this.#completeIfBuilt(this.scalar(code));
  }

  #readString(): void {
    const start = this.at;
    const isPlain = this.passString();
    if (isPlain && this.#shape === null) this.#complete(undefined);
    else if (isPlain || !LongString.isLong(start, this.at)) {
      this.#completeIfBuilt(this.valueFrom(start, isPlain));
    } else {
      this.#long = new LongString(this.text, start, this.at);
      this.at = start;
    }
  }

  #readPart(long: LongString): void {
    this.#longValue += long.nextPart();
    this.at = long.at;
    if (!long.isComplete) return;
    const value = storable(this.#longValue, long.start + 1);
    this.#long = null;
    this.#longValue = '';
    this.#completeIfBuilt(value);
  }

  #completeIfBuilt(value: Json): void {
    this.#complete(this.#shape === null ? undefined : value);
  }

  #open(isObject: boolean, close: number): void {
    if (this.#depth === MAX_DEPTH) {
      throw refused(`The body nests more than ${MAX_DEPTH} arrays and objects.`);
    }
    const start = this.at++;
    const shape = this.#shape;
    const container = shape === null ? null : isObject ? {} : [];
    if (this.next() === close) {
      this.at++;
      this.#complete(container ?? undefined);
      return;
    }
    const outer = this.#frames[this.#depth - 1];
    if (shape?.isFreeForm && outer?.shape !== shape) this.#valuesLeft = shape.most;
    this.#frames[this.#depth] ??= new Frame();
    const frame = this.#frames[this.#depth++] as Frame;
    frame.isObject = isObject;
    frame.start = start;
    frame.shape = shape;
    frame.container = container;
    frame.index = 0;
    if (isObject) {
      frame.clear();
      this.#readKey(frame);
    } else this.#shape = this.#shapeIn(frame);
  }

  #readKey(frame: Frame): void {
    const { key: previous, container } = frame;
    frame.key = null;
    if (this.next() !== QUOTE) throw this.unexpected('a key in double quotes');
    const place = this.at;
    const key = this.key();
    frame.key = key;
    if (key === '__proto__') throw refused('The key "__proto__" is not allowed.');
    if (frame.hasSkipped(key) || (container !== null && Object.hasOwn(container, key))) {
      throw refused(`The key ${JSON.stringify(shortened(key))} appears twice in one object.`);
    }
    if (this.next() !== COLON) throw this.unexpected('a colon after the key');
    this.at++;
    this.#shape = this.#shapeIn(frame);
    if (this.#shape === null) this.#skip(frame, key);
    if (this.#order !== null) {
      frame.keyPlaces ??= [];
      frame.keyPlaces.push(place);
      if (previous !== null && key < previous) frame.isSorted = false;
    }
  }

  #skip(frame: Frame, key: string): void {
    frame.skip(key);
    const { shape } = frame;
    if (!shape?.fields) return;
    this.ignored ??= new IgnoredFields();
    if (!this.ignored.isNew(shape, key)) return;
    this.ignored.add(fieldPath(this.#frames.slice(0, this.#depth - 1)), key);
  }

  #shapeIn({ shape, isObject, key, index }: Frame): Shape | null {
    if (shape === null) return null;
    if (shape.isFreeForm) return this.#valuesLeft-- > 0 ? shape : null;
    if (isObject) return shape.fields?.get(key as string) ?? null;
    return index <= shape.most ? shape.items : null;
  }

  /** Adds a value to what it is in, and closes whatever ends behind it. */
  #complete(value: Json | undefined): void {
    let built = value;
    while (this.#depth > 0) {
      const frame = this.#frames[this.#depth - 1] as Frame;
      const { container, isObject } = frame;
      if (built !== undefined) {
        if (isObject) (container as Record<string, Json>)[frame.key as string] = built;
        else (container as Json[]).push(built);
      }
      if (this.#continues(isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
        if (isObject) this.#readKey(frame);
        else {
          frame.index++;
          this.#shape = this.#shapeIn(frame);
        }
        return;
      }
      this.#close(frame);
      built = container ?? undefined;
    }
    if (this.next() !== END) throw this.unexpected('nothing more after the value');
    this.result = built ?? null;
    this.#isComplete = true;
  }

  /** After one entry: true past a comma, false past the closing bracket. */
  #continues(close: number): boolean {
    const code = this.next();
    if (code !== COMMA && code !== close) {
      throw this.unexpected(`a comma or "${String.fromCharCode(close)}"`);
    }
    this.at++;
    return code === COMMA;
  }

  #close(frame: Frame): void {
    this.#depth--;
    frame.container = null;
    if (frame.isObject && !frame.isSorted && frame.keyPlaces) {
      this.#order?.add(frame.start, frame.keyPlaces, this.at);
    }
  }
}
