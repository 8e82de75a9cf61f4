import { useState } from 'preact/hooks';
import {
  boundFault,
  FILTERS,
  type FilterName,
  type MemberFilters,
} from '../../text/member-filters.ts';
import { tagsIn } from '../../text/tags.ts';
import { SelectField, TextField, TimeField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';

const STATUSES = [
  { value: '', label: 'Active and frozen' },
  { value: 'active', label: 'Active' },
  { value: 'frozen', label: 'Frozen' },
];

const WALLETS = [
  { value: '', label: 'With or without' },
  { value: 'yes', label: 'With a wallet' },
  { value: 'no', label: 'Without a wallet' },
];

interface FilterProps {
  filters: MemberFilters;
  /** The kind of points that the balances are of. */
  unit: string;
  onFilter: (filters: Record<FilterName, string>) => void;
  onClose: () => void;
}

/** Several filters at once; who meets all of them is listed. */
export function FilterDialog({ filters, unit, onFilter, onClose }: FilterProps) {
  const [typed, setTyped] = useState(filters);
  const faults = [boundFault(typed.least), boundFault(typed.most)];
  const field = (name: FilterName) => ({
    name,
    value: typed[name] ?? '',
    onInput: (value: string) => setTyped({ ...typed, [name]: value }),
  });
  const choice = (name: FilterName) => {
    const { onInput: onChange, ...rest } = field(name);
    return { ...rest, onChange };
  };
  const submit = async (): Promise<void> => {
    const all = Object.fromEntries(FILTERS.map((name) => [name, (typed[name] ?? '').trim()]));
    onFilter({ ...(all as Record<FilterName, string>), tags: tagsIn(typed.tags ?? '').join(',') });
    onClose();
  };
  return (
    <FormDialog
      title="Filter members"
      action="Show"
      canSubmit={faults.every((fault) => fault === null)}
      onSubmit={submit}
      onClose={onClose}
    >
      <div class="pair">
        <TextField
          label={`${unit} from`}
          inputMode="numeric"
          class="number"
          hint={faults[0]}
          autoFocus
          {...field('least')}
        />
        <TextField
          label={`${unit} up to`}
          inputMode="numeric"
          class="number"
          hint={faults[1]}
          {...field('most')}
        />
      </div>
      <TextField
        label="Tags"
        placeholder="vip, helper"
        hint="All of them; separated by commas."
        {...field('tags')}
      />
      <div class="pair">
        <SelectField label="Status" choices={STATUSES} {...choice('status')} />
        <SelectField label="Wallet" choices={WALLETS} {...choice('wallet')} />
      </div>
      <div class="pair">
        <TimeField label="Joined from" isDay {...field('joinedFrom')} />
        <TimeField label="Joined up to" isDay {...field('joinedTo')} />
      </div>
      <div class="pair">
        <TimeField label="Last active from" isDay {...field('activeFrom')} />
        <TimeField label="Last active up to" isDay hint="Days of UTC." {...field('activeTo')} />
      </div>
    </FormDialog>
  );
}
