import { now } from '../../state/clock.ts';
import { offersOf } from '../../state/offers.ts';
import { useRealm } from '../../state/realm.ts';
import { formatMoment } from '../../text/format.ts';
import { leftText, limitText, requirementText, streakText, type Terms } from '../../text/offers.ts';
import { Emoji, useAmounts } from '../../ui/Offers.tsx';
import { Text } from '../../ui/Text.tsx';

/** How an offer reads to a member, also while it is typed. */
export function OfferCard(props: { id?: string; terms: Terms; stockLeft: number | null }) {
  const { id, terms, stockLeft } = props;
  const { name, description, emoji } = terms;
  const notes = useNotes(terms, stockLeft);
  return (
    <section class="offer-card" aria-label="How members read it">
      <Emoji value={emoji} {...(id !== undefined && { id })} large />
      <div>
        <h3>{name === '' ? <span class="muted">Its name</span> : <Text value={name} />}</h3>
        {description && (
          <p class="muted">
            <Text value={description} />
          </p>
        )}
        <p class="price">{usePrice(terms)}</p>
        {notes.map((note) => (
          <p key={note} class="caption">
            <Text value={note} />
          </p>
        ))}
      </div>
    </section>
  );
}

/** "Costs 500 points, gives 1 gem". */
export function usePrice({ gives, costs }: Pick<Terms, 'gives' | 'costs'>): string {
  const say = useAmounts();
  const [given, cost] = [say(gives), say(costs)];
  if (cost === '') return given === '' ? 'Free' : `Gives ${given}`;
  return `Costs ${cost}${given === '' ? '' : `, gives ${given}`}`;
}

/** What limits it, one line each. */
function useNotes(terms: Terms, stockLeft: number | null): string[] {
  const { api } = useRealm();
  const say = useAmounts();
  const offers = offersOf(api).value;
  const { perMember, streak, requires, opensAt, closesAt, delivery, isListed } = terms;
  const opens = opensAt !== null && Date.parse(opensAt) > now.value;
  const closes = closesAt !== null && Date.parse(closesAt) > now.value;
  return [
    [limitText(perMember), leftText(stockLeft)].filter(Boolean).join(' · '),
    streakText(streak),
    requirementText(requires, say, (id) => offers.get(id)?.name ?? id),
    opens && `Opens ${formatMoment(opensAt)}`,
    closesAt !== null && `${closes ? 'Closes' : 'Closed'} ${formatMoment(closesAt)}`,
    delivery === 'manual' && 'Waits for somebody to deliver it',
    !isListed && 'Not in the list of the shop',
  ].filter((note): note is string => Boolean(note));
}
