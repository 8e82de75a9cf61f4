import type { Member, RealmHandle } from '@realmkeep/client';
import type { Pasted } from '../text/recognise.ts';
import { checkWallets } from './wallet-owners.ts';

/** Whom it may mean: one is recognised, several are ambiguous, nobody is unknown. */
export interface Recognised extends Pasted {
  members: Member[];
}

/** As many as a call takes; and searches at a time. */
const [IDS_AT_ONCE, SEARCHES_AT_ONCE, MOST_FOUND] = [100, 4, 20];

/** Looks up who is meant. Ids are also those of Discord, where members have their own. */
export async function recognise(
  api: RealmHandle,
  list: readonly Pasted[],
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Recognised[]> {
  const found = new Map<Pasted, Member[]>();
  const note = (one: Pasted, members: Member[]): void => {
    found.set(one, members);
    onProgress(found.size);
  };
  const wallets = list.filter(({ by }) => by === 'wallet');
  const checked =
    wallets.length === 0
      ? []
      : await checkWallets(
          api,
          wallets.map(({ value }) => value),
          signal,
        );
  const owners = new Map(checked.map(({ wallet, memberId }) => [wallet, memberId]));
  const idOf = ({ by, value }: Pasted): string | null =>
    by === 'id' ? value : by === 'wallet' ? (owners.get(value) ?? null) : null;
  const byId = await membersOf(
    api,
    [...new Set(list.map(idOf).filter((id) => id !== null))],
    signal,
  );
  const left: Pasted[] = [];
  for (const one of list) {
    const member = byId.get(idOf(one) ?? '');
    if (member) note(one, [member]);
    else if (one.by === 'wallet') note(one, []);
    else left.push(one);
  }
  for (let start = 0; start < left.length; start += SEARCHES_AT_ONCE) {
    const some = left.slice(start, start + SEARCHES_AT_ONCE);
    await Promise.all(some.map(async (one) => note(one, await searched(api, one, signal))));
  }
  return list.map((one) => ({ ...one, members: found.get(one) ?? [] }));
}

async function membersOf(
  api: RealmHandle,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Member>> {
  const found = new Map<string, Member>();
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const some = ids.slice(start, start + IDS_AT_ONCE);
    for await (const member of api.members({ ids: some, limit: IDS_AT_ONCE, signal })) {
      found.set(member.id, member);
    }
  }
  return found;
}

/** Those who are called exactly so; if nobody is, those whose name begins like it. */
async function searched(
  api: RealmHandle,
  { by, value }: Pasted,
  signal: AbortSignal,
): Promise<Member[]> {
  if (by === 'id') {
    return (await api.members({ account: `discord:${value}`, signal })).items;
  }
  const { items } = await api.members({ search: value.slice(0, 128), limit: MOST_FOUND, signal });
  const said = fold(value);
  const isCalled = ({ username, displayName, accounts }: Member): boolean =>
    [username, displayName, ...accounts.map((one) => one.username)].some(
      (name) => name !== null && fold(name) === said,
    );
  const exact = items.filter(isCalled);
  return exact.length > 0 ? exact : items;
}

const fold = (name: string): string => name.normalize('NFKC').trim().toLowerCase();
