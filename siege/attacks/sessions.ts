import { define } from '../attack.ts';

export const sessions = define({
  name: 'sessions',
  description: '200 clients sign in to the console, again and again',
  full: { clients: 200 },
  short: { clients: 20 },
  run: (attacker, { clients }) => {
    const signIn = attacker.request('POST', '/api/v4/sessions');
    return attacker.clients(clients, () => signIn);
  },
});
