import type { Claim, Offer } from '@realmkeep/client';
import { addresses } from '../addresses.ts';
import { offersOf } from '../state/offers.ts';
import { kindOf, useRealm } from '../state/realm.ts';
import { hueOf } from '../text/marks.ts';
import { type Amounts, isEmoji, STATES } from '../text/offers.ts';
import { amountOf } from '../text/sentence.ts';
import { Icon } from './Icon.tsx';
import { Text } from './Text.tsx';

/** Says amounts: "10 points and 1 gem". */
export function useAmounts(): (amounts: Amounts) => string {
  const { kinds } = useRealm();
  return (amounts) =>
    Object.entries(amounts)
      .map(([kind, tokens]) => amountOf(tokens, kindOf(kinds, kind)))
      .join(' and ');
}

/**
 * What an offer is known by at a glance: its emoji, or a picture in its place, since only programs
 * know those that have a name; and the colour of its id, once it has one.
 */
export function Emoji(props: { value: string | null; id?: string; large?: boolean }) {
  const { value, id, large = false } = props;
  const look = ['emoji', large && 'large', id !== undefined && 'tinted'].filter(Boolean).join(' ');
  return (
    <span class={look} style={{ '--hue': hueOf(id ?? '') }} aria-hidden="true">
      {isEmoji(value) ? value : <Icon name="offer" />}
    </span>
  );
}

/** An offer by its name, or by its id if it is not known; it leads to the offer. */
export function OfferName({ id }: { id: string }) {
  const { api } = useRealm();
  const name = offersOf(api).value.get(id)?.name;
  return (
    <a class="quiet-link" href={addresses.offer(api.id, id)}>
      {name === undefined ? <span class="mono">{id}</span> : <Text value={name} />}
    </a>
  );
}

export function StateBadge({ status }: { status: (Offer | Claim)['status'] }) {
  const { label, tone } = STATES[status];
  return <span class={`badge ${tone}`}>{label}</span>;
}

/** "−500 points, +1 gem". */
export function ClaimAmounts({ claim }: { claim: Pick<Claim, 'gave' | 'cost'> }) {
  const say = useAmounts();
  const [cost, gave] = [say(claim.cost), say(claim.gave)];
  const parts = [cost && `−${cost}`, gave && `+${gave}`].filter(Boolean);
  return <span class="amount">{parts.join(', ') || 'free'}</span>;
}
