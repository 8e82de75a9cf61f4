/** The end of a channel between two threads: a `MessagePort`, or a `Worker`. */
interface Channel {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: Message) => void): unknown;
}

type Message =
  | { call: string; id: number; argument: unknown }
  | { of: number; result: unknown }
  | { of: number; fault: string };

/** What one side offers to the other: each takes one argument and may take its time. */
type Offer = { [Name in string]: (argument: never) => unknown };

type Remote<Theirs extends Offer> = <Name extends keyof Theirs & string>(
  name: Name,
  argument: Parameters<Theirs[Name]>[0],
) => Promise<Awaited<ReturnType<Theirs[Name]>>>;

/** Calls between two threads, both ways. A failure over there is a failure here. */
export function connect<Theirs extends Offer>(channel: Channel, own: Offer) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  const answer = async ({ call, id, argument }: Extract<Message, { call: string }>) => {
    try {
      const result = await own[call]?.(argument as never);
      channel.postMessage({ of: id, result });
    } catch (error) {
      channel.postMessage({ of: id, fault: (error as Error).message });
    }
  };
  channel.on('message', (message) => {
    if ('call' in message) return void answer(message);
    const call = waiting.get(message.of);
    waiting.delete(message.of);
    if ('fault' in message) call?.reject(new Error(message.fault));
    else call?.resolve(message.result);
  });
  const remote = (call: string, argument: unknown): Promise<unknown> => {
    lastId += 1;
    const answered = Promise.withResolvers<unknown>();
    waiting.set(lastId, answered);
    channel.postMessage({ call, id: lastId, argument });
    return answered.promise;
  };
  /** When the other side is gone. */
  const abandon = (why: Error): void => {
    for (const { reject } of waiting.values()) reject(why);
    waiting.clear();
  };
  return { remote: remote as Remote<Theirs>, abandon };
}
