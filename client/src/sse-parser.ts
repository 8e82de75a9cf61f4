/** Some lines of a stream of server-sent events, up to an empty one. */
interface Block {
  id?: string;
  data?: string;
}

/** Reads server-sent events, however they are cut into chunks. */
export class SseParser {
  #rest = '';
  #block: Block = {};

  /** The blocks that this text completes. */
  push(text: string): Block[] {
    // The line feed that belongs to a carriage return at the end may be in the next chunk.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    const complete: Block[] = [];
    for (const line of lines) {
      if (line !== '') this.#add(line);
      else {
        complete.push(this.#block);
        this.#block = {};
      }
    }
    return complete;
  }

  #add(line: string): void {
    const [, field, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    const { data } = this.#block;
    if (field === 'id') this.#block.id = value;
    if (field === 'data') this.#block.data = data === undefined ? value : `${data}\n${value}`;
  }
}
