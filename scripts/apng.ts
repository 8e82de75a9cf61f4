import { crc32 } from 'node:zlib';

/** Makes one animated PNG of many still ones of the same size. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Chunk {
  type: string;
  data: Buffer;
}

export function animate(frames: Buffer[], delayMs: number): Buffer {
  const [first] = frames;
  if (!first) throw new Error('an animation needs at least one frame');
  const header = chunksOf(first).find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13);
  let sequence = 0;
  const body = frames.flatMap((frame, index): Chunk[] => {
    const control = controlOf(sequence++, header, delayMs);
    const images = chunksOf(frame).filter(({ type }) => type === 'IDAT');
    if (index === 0) return [control, ...images];
    return [control, ...images.map(({ data }) => numbered(sequence++, data))];
  });
  const count = Buffer.alloc(8);
  count.writeUInt32BE(frames.length, 0);
  return Buffer.concat([
    SIGNATURE,
    ...[{ type: 'IHDR', data: header }, { type: 'acTL', data: count }, ...body].map(written),
    written({ type: 'IEND', data: Buffer.alloc(0) }),
  ]);
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

/** When a frame is shown, and for how long. */
function controlOf(sequence: number, header: Buffer, delayMs: number): Chunk {
  const data = Buffer.alloc(26);
  data.writeUInt32BE(sequence, 0);
  header.copy(data, 4, 0, 8);
  data.writeUInt16BE(delayMs, 20);
  data.writeUInt16BE(1_000, 22);
  return { type: 'fcTL', data };
}

function numbered(sequence: number, image: Buffer): Chunk {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(sequence);
  return { type: 'fdAT', data: Buffer.concat([number, image]) };
}

function written({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
