import type { EventType, MemberId, OperationId, Operations } from './generated.ts';
import { type Pages, pagesOf } from './pages.ts';
import type { Answer, Fields, OptionsOf, Path, Sent, Transport } from './transport.ts';

/** What a call takes, without the fields that a verb takes as its own parameters. */
export type SentWith<Op extends OperationId, Given extends keyof Fields<Op>> = Omit<
  Fields<Op>,
  Given
> &
  OptionsOf<Op>;

export type FeedOptions<T extends EventType> = SentWith<'listEvents', 'types'> & {
  types?: readonly T[] | undefined;
};

export type MemberFilter = SentWith<'listMembers', 'ids'> & {
  /** Only these members: up to 100. */
  ids?: string | readonly MemberId[] | undefined;
};

/** The operations within a realm, and those of them that list by cursor. */
type RealmOperation = Matching<{ path: { realmID: string } }>;
type ListOperation = Matching<{ answer: { nextCursor: string | null } }>;

type Matching<Shape> = {
  [Op in OperationId]: Operations[Op] extends Shape ? Op : never;
}[OperationId];

/** The rows of a page: a leaderboard has `members` instead of `items`. */
type Rows<Page> = Page extends { items: infer R } | { members: infer R } ? R : never;
export type ListOf<Op extends ListOperation> = Pages<
  Rows<Answer<Op>> extends readonly (infer Item)[] ? Item : never,
  Answer<Op>
>;

/** Lists by cursor: the fields of a page, then those of the next. */
export function listOf<Op extends ListOperation>(
  transport: Transport,
  operation: Op,
  path: Path<Op>,
  fields: Sent<Op>,
): ListOf<Op> {
  return pagesOf(
    fields,
    (each) => transport.call(operation, path, each),
    (page) => ('items' in page ? page.items : page.members) as never[],
    ({ nextCursor }) =>
      nextCursor === null ? null : ({ cursor: nextCursor } as Partial<Sent<Op>>),
  );
}

/** Calls within one realm. */
export class RealmCalls {
  readonly transport: Transport;
  readonly realmID: string;

  constructor(transport: Transport, realmID: string) {
    this.transport = transport;
    this.realmID = realmID;
  }

  call<Op extends RealmOperation>(
    operation: Op,
    path: Omit<Path<Op>, 'realmID'>,
    fields: Sent<Op>,
  ): Promise<Answer<Op>> {
    return this.transport.call(operation, this.#within<Op>(path), fields);
  }

  list<Op extends RealmOperation & ListOperation>(
    operation: Op,
    path: Omit<Path<Op>, 'realmID'>,
    fields: Sent<Op>,
  ): ListOf<Op> {
    return listOf(this.transport, operation, this.#within<Op>(path), fields);
  }

  #within<Op extends RealmOperation>(path: Omit<Path<Op>, 'realmID'>): Path<Op> {
    return { ...path, realmID: this.realmID } as Path<Op>;
  }
}
