import { define } from '../attack.ts';
import { MAX_PIPELINED } from './batch.ts';

export const unreadDocuments = define({
  name: 'unread-documents',
  description: '200 callers without a key ask for openapi.json 16 times each and never read it',
  full: { callers: 200, requests: MAX_PIPELINED },
  short: { callers: 60, requests: 5 },
  run: (attacker, { callers, requests }) => {
    const { parts } = attacker.request('GET', '/openapi.json', { key: null });
    return attacker.callers(callers, async (connection) => {
      connection.socket.pause();
      connection.send(Array(requests).fill(parts).flat());
      await attacker.untilOver(connection, 'closed by the service');
    });
  },
});
