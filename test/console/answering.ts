/** What the service answers to the calls of an import, one after another. */
interface Answer {
  status?: number;
  body?: object;
  isReplay?: boolean;
}

interface Call {
  names: string[];
  key: string;
}

const { fetch } = globalThis;

/** For the hooks of each file: files share a process. */
export const stopAnswering = (): void => {
  globalThis.fetch = fetch;
};

/** Answers calls as told, or loses the connection; returns their names and keys. */
export function answering(answers: (Answer | null)[]): Call[] {
  const calls: Call[] = [];
  globalThis.fetch = async (_url, init) => {
    const { members } = JSON.parse(String(init?.body));
    const names = members.map(({ displayName }: { displayName: string }) => displayName);
    calls.push({ names, key: new Headers(init?.headers).get('idempotency-key') ?? '' });
    const answer = answers[calls.length - 1];
    if (!answer) throw new TypeError('the connection is lost');
    const { status = 200, body = { results: names.map(() => ({ memberId: '1' })) } } = answer;
    const headers = { 'content-type': 'application/json' };
    const replay = answer.isReplay ? { 'idempotent-replayed': 'true' } : {};
    return new Response(JSON.stringify(body), { status, headers: { ...headers, ...replay } });
  };
  return calls;
}

export const problem = (status: number, code: string, more: object = {}): Answer => ({
  status,
  body: { status, code, message: code, ...more },
});
