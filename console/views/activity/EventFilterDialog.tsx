import type { Member } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { events } from '../../state/live.ts';
import { nameSignal } from '../../state/names.ts';
import { useRealm } from '../../state/realm.ts';
import { amountFault } from '../../text/amounts.ts';
import { EVENT_FILTERS, type EventFilters } from '../../text/event-filters.ts';
import { personIn } from '../../text/people.ts';
import { SelectField, TextField, TimeField, useForm } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { MemberPicker } from '../../ui/MemberPicker.tsx';

interface FilterProps {
  filters: EventFilters;
  onFilter: (filters: Record<string, string>) => void;
  onClose: () => void;
}

/** Whose events, by whom, for what, how many points, and when. */
export function EventFilterDialog({ filters, onFilter, onClose }: FilterProps) {
  const { api } = useRealm();
  const { typed, field, choice } = useForm<EventFilters>(filters);
  const [member, setMember] = useState<Member | null>(null);
  const [sought, setSought] = useState('');
  useEffect(() => {
    if (filters.member)
      api
        .member(filters.member)
        .get()
        .then(setMember, () => {});
  }, []);
  // Those who have acted lately, and the one that is asked for.
  const lately = (events.value ?? []).map(({ actor }) => actor.split('/')[0] ?? '');
  const actors = [...new Set([...lately, filters.actor ?? ''])].filter((actor) => actor !== '');
  const nameOfActor = (actor: string): string => {
    const named = nameSignal(api, personIn(actor) ?? '').value;
    return personIn(actor) && named ? nameOf(named) : actor;
  };
  const submit = async (): Promise<void> => {
    const all = EVENT_FILTERS.map((name) => [name, (typed[name] ?? '').trim()]);
    onFilter({ ...Object.fromEntries(all), member: member?.id ?? '' });
    onClose();
  };
  const fault = amountFault(typed.least ?? '');
  return (
    <FormDialog
      title="Filter activity"
      action="Show"
      // Whoever was typed but not picked is not to be passed over.
      canSubmit={fault === null && (member !== null || sought.trim() === '')}
      onSubmit={submit}
      onClose={onClose}
    >
      <MemberPicker
        label="Member"
        name="member"
        picked={member}
        takesFrozen
        onPick={setMember}
        onType={setSought}
      />
      <SelectField
        label="Done by"
        hint="Whoever has done something lately."
        choices={[
          { value: '', label: 'Anybody' },
          ...actors.map((actor) => ({ value: actor, label: nameOfActor(actor) })),
        ]}
        {...choice('actor')}
      />
      <TextField label="Reason or reference has" {...field('text')} />
      <TextField
        label="At least so many points"
        inputMode="numeric"
        class="number"
        hint={fault}
        {...field('least')}
      />
      <div class="pair">
        <TimeField label="From" isDay {...field('from')} />
        <TimeField label="Up to" isDay hint="Days of UTC." {...field('to')} />
      </div>
    </FormDialog>
  );
}
