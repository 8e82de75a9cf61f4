import { define } from '../attack.ts';

/** Of one byte each, so that most of what is sent says how long it is. */
const CHUNKS = '1\r\n \r\n';

export const tinyChunks = define({
  name: 'tiny-chunks',
  description: '2 callers, one of them without a key, send bodies in chunks of one byte',
  full: { callers: 2, chunks: 200_000 },
  short: { callers: 4, chunks: 20_000 },
  run: (attacker, { callers, chunks }) => {
    const body = Buffer.from(`${CHUNKS.repeat(chunks)}0\r\n\r\n`);
    const path = attacker.path('/members/tokenBalance');
    return attacker.clients(callers, (caller) => {
      const key = caller % 2 === 0 ? {} : { key: null };
      const { parts } = attacker.request('PATCH', path, { ...key, isChunked: true });
      return { parts: [...parts, body] };
    });
  },
});
