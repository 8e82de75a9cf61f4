import type {
  BalanceHistory,
  Balances,
  ChallengeWalletAnswer,
  ChangePointsAnswer,
  CreateWalletLinkAnswer,
  Hold,
  Member,
  MemberId,
  MemberRank,
  TransferPointsAnswer,
  Wallet,
  Web3Member,
} from './generated.ts';
import { Handle } from './nouns.ts';
import type { ListOf, RealmCalls, SentWith } from './realm-calls.ts';
import { exactText } from './request.ts';
import type { CallOptions, ChangeOptions, Sent, WriteOptions } from './transport.ts';

export class MemberHandle extends Handle<string> {
  readonly #path: { memberID: string };

  constructor(realm: RealmCalls, id: MemberId) {
    super(realm, exactText(id, 'memberID'));
    this.#path = { memberID: this.id };
  }

  get(options: CallOptions = {}): Promise<Member> {
    return this.realm.call('getMember', this.#path, options);
  }

  /** Enrols the member or, if it is one already, changes the fields that are given. */
  put(fields: Sent<'putMember'>): Promise<Member> {
    return this.realm.call('putMember', this.#path, fields);
  }

  /** Changes the fields that are given; `status` freezes and unfreezes. */
  update(fields: Sent<'updateMember'>): Promise<Member> {
    return this.realm.call('updateMember', this.#path, fields);
  }

  /**
   * Removes the member; `forfeit` gives up what points it has left, and `erase` also erases what
   * the journal says of the person, even if the member was removed before.
   */
  remove(options: Sent<'removeMember'> = {}): Promise<void> {
    return this.realm.call('removeMember', this.#path, options);
  }

  /** Adds points; a negative number takes some. */
  add(tokens: number, more: SentWith<'changePoints', 'tokens'> = {}): Promise<ChangePointsAnswer> {
    return this.realm.call('changePoints', this.#path, { ...more, tokens });
  }

  /** Takes points: a positive number, so that what somebody typed cannot add any. */
  async subtract(
    tokens: number,
    more: SentWith<'changePoints', 'tokens'> = {},
  ): Promise<ChangePointsAnswer> {
    if (typeof tokens === 'number' && tokens > 0) return this.add(-tokens, more);
    throw new RangeError(`subtract takes a positive number of points, not ${tokens}`);
  }

  /** Gives points to another member. */
  transfer(
    recipientId: MemberId,
    tokens: number,
    more: SentWith<'transferPoints', 'recipientId' | 'tokens'> = {},
  ): Promise<TransferPointsAnswer> {
    return this.realm.call('transferPoints', this.#path, { ...more, recipientId, tokens });
  }

  /** Sets points aside, until the hold is captured or released, or expires. */
  hold(tokens: number, more: SentWith<'createHold', 'tokens'> = {}): Promise<Hold> {
    return this.realm.call('createHold', this.#path, { ...more, tokens });
  }

  holds(filter: Sent<'memberHolds'> = {}): ListOf<'memberHolds'> {
    return this.realm.list('memberHolds', this.#path, filter);
  }

  claims(filter: Sent<'memberClaims'> = {}): ListOf<'memberClaims'> {
    return this.realm.list('memberClaims', this.#path, filter);
  }

  /** The statement: every movement of the member's points, newest first. */
  transactions(filter: Sent<'memberTransactions'> = {}): ListOf<'memberTransactions'> {
    return this.realm.list('memberTransactions', this.#path, filter);
  }

  /** The balances now, or `at` an instant. */
  balance(options: Sent<'getBalance'> = {}): Promise<Balances> {
    return this.realm.call('getBalance', this.#path, options);
  }

  /** The balances at the end of each of the last days. */
  balanceHistory(options: Sent<'getBalanceHistory'> = {}): Promise<BalanceHistory> {
    return this.realm.call('getBalanceHistory', this.#path, options);
  }

  /** The member's row of a leaderboard. */
  rank(options: Sent<'getStanding'> = {}): Promise<MemberRank> {
    return this.realm.call('getStanding', this.#path, options);
  }

  /** The wallets, and what they hold of the realm's assets. */
  web3(options: CallOptions = {}): Promise<Web3Member> {
    return this.realm.call('getWeb3Member', this.#path, options);
  }

  /** Asks for a message that the owner of a wallet signs; pass both to `linkWallet`. */
  challengeWallet(
    address: string,
    more: SentWith<'challengeWallet', 'address'> = {},
  ): Promise<ChallengeWalletAnswer> {
    return this.realm.call('challengeWallet', this.#path, { ...more, address });
  }

  linkWallet(address: string, more: SentWith<'linkWallet', 'address'> = {}): Promise<Wallet> {
    return this.realm.call('linkWallet', this.#path, { ...more, address });
  }

  /** A link for the member alone, to a page where the browser wallet signs; it works once. */
  createWalletLink(options: WriteOptions = {}): Promise<CreateWalletLinkAnswer> {
    return this.realm.call('createWalletLink', this.#path, options);
  }

  unlinkWallet(address: string, options: ChangeOptions = {}): Promise<void> {
    return this.realm.call('unlinkWallet', { ...this.#path, address }, options);
  }
}
