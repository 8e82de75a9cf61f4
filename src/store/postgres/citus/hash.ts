const START = 0x9e3779b9 + 3_923_095;
const MIX = [4, 6, 8, 16, 19, 4];
const FINISH = [14, 11, 25, 16, 4, 14, 24];

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** By it Citus finds the shard of a text: PostgreSQL's `hashtext`, the lookup3 of Bob Jenkins. */
export function hashText(text: string): number {
  const bytes = Buffer.from(text);
  const whole = Math.floor(bytes.length / 12) * 12;
  const padded = Buffer.concat([bytes, Buffer.alloc(12)]);
  let [a, b, c] = Array<number>(3).fill((START + bytes.length) | 0) as [number, number, number];
  for (let at = 0; at < whole; at += 12) {
    a += padded.readInt32LE(at);
    b += padded.readInt32LE(at + 4);
    c += padded.readInt32LE(at + 8);
    for (const bits of MIX) [a, b, c] = [b, (c + b) | 0, (a - c) ^ rotate(c, bits)];
  }
  a += padded.readInt32LE(whole);
  b += padded.readInt32LE(whole + 4);
  // Its lowest byte is reserved for the length.
  c += padded.readInt32LE(whole + 8) << 8;
  for (const bits of FINISH) [a, b, c] = [b, ((c ^ b) - rotate(b, bits)) | 0, a];
  return b;
}
