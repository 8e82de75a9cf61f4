/** What authenticators write: integers, bytes, texts, lists and maps (RFC 8949, canonical). */
export type Cbor = number | string | boolean | null | Buffer | Cbor[] | CborMap;
export type CborMap = Map<Cbor, Cbor>;

/** No authenticator nests deeper than this. */
const MAX_DEPTH = 4;

const SIMPLE: ReadonlyMap<number, Cbor> = new Map([
  [20, false],
  [21, true],
  [22, null],
]);

/** The first value of the bytes, and where it ends. Throws if there is none. */
export function readCbor(bytes: Buffer, start = 0, depth = 0): { value: Cbor; end: number } {
  const [kind, short] = [(bytes[start] ?? 0xff) >> 5, (bytes[start] ?? 0xff) & 31];
  const { length, at } = lengthAt(bytes, start + 1, short);
  if (depth > MAX_DEPTH) throw new RangeError('CBOR that is nested too deeply');
  if (kind === 0) return { value: length, end: at };
  if (kind === 1) return { value: -1 - length, end: at };
  if (kind === 2 || kind === 3) {
    const end = at + length;
    if (end > bytes.length) throw new RangeError('CBOR that ends too early');
    const part = bytes.subarray(at, end);
    return { value: kind === 2 ? part : part.toString('utf8'), end };
  }
  if (kind === 4 || kind === 5) {
    const values: Cbor[] = [];
    let end = at;
    for (let left = kind === 5 ? 2 * length : length; left > 0; left--) {
      const each = readCbor(bytes, end, depth + 1);
      values.push(each.value);
      end = each.end;
    }
    return { value: kind === 4 ? values : mapOf(values), end };
  }
  const value = kind === 7 ? SIMPLE.get(short) : undefined;
  if (value === undefined) throw new RangeError('CBOR of a kind that no authenticator writes');
  return { value, end: at };
}

/** The number that follows a head: a value itself, or a length. */
function lengthAt(bytes: Buffer, at: number, short: number): { length: number; at: number } {
  if (short < 24) return { length: short, at };
  const size = { 24: 1, 25: 2, 26: 4 }[short];
  if (size === undefined) throw new RangeError('CBOR of an indefinite or a great length');
  return { length: bytes.readUIntBE(at, size), at: at + size };
}

const mapOf = (values: Cbor[]): CborMap =>
  new Map(values.flatMap((key, at) => (at % 2 === 0 ? [[key, values[at + 1] as Cbor]] : [])));
