import { DEMO_REALM, type DemoRealm } from './realm.ts';

/**
 * One call of each of the five core endpoints, with members that exist in the demo, as a line to
 * paste into a shell.
 */
export function demoCalls(url: string, { key, giver, taker }: DemoRealm) {
  const realm = `${url}/api/v4/realms/${DEMO_REALM}`;
  const call = (title: string, method: string, path: string, body?: object) => {
    // Answers do not end with a line break: without -w the prompt would follow them directly.
    const words = ['curl', '-sS', '-w', "'\\n'", '-X', method, `'${realm}${path}'`];
    words.push('-H', `'Authorization: Bearer ${key}'`);
    if (body)
      words.push('-H', "'Content-Type: application/json'", '-d', `'${JSON.stringify(body)}'`);
    return { title, curl: words.join(' ') };
  };
  const wallets = [giver, taker].map((member) => member.wallets[0]?.address ?? '');
  const thanks = { recipientId: taker.id, tokens: 25, description: 'Thanks for the help' };
  return [
    call('Read a member', 'GET', `/members/${giver.id}`),
    call('Read its web3 data', 'GET', `/web3/members/${giver.id}`),
    call('Check wallets', 'GET', '/members/includes', { wallets: [...wallets, 'not-a-wallet'] }),
    call('Add points', 'PATCH', `/members/${giver.id}/tokenBalance`, {
      tokens: 100,
      description: 'Quest reward',
    }),
    call('Transfer points', 'PATCH', `/members/${giver.id}/transfer`, thanks),
  ];
}
