const LINE_FEED = 10;

/**
 * The lines of a stream, in chunks as they arrive. Split at line feeds only: Node's `readline` also
 * splits at U+2028, which a name may contain. A line that becomes longer than `maxBytes` is the
 * last one, and cut: a file of another kind must not fill the memory.
 */
export async function* linesOf(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer[]> {
  let parts: Buffer[] = [];
  let waiting = 0;
  for await (const chunk of stream) {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      lines.push(Buffer.concat([...parts, chunk.subarray(start, end)]));
      parts = [];
      waiting = 0;
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
    waiting += chunk.length - start;
    yield lines;
    if (waiting > maxBytes) break;
  }
  if (parts.length > 0) yield [Buffer.concat(parts)];
}
