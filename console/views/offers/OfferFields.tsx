import { offersOf } from '../../state/offers.ts';
import { useRealm } from '../../state/realm.ts';
import { amountsFault, type OfferForm } from '../../text/offer-form.ts';
import type { PerMember } from '../../text/offers.ts';
import {
  CheckField,
  fieldsFor,
  SelectField,
  TextAreaField,
  TextField,
  TimeField,
} from '../../ui/Field.tsx';

interface FieldsProps {
  form: OfferForm;
  set: (changes: Partial<OfferForm>) => void;
}

type TextName = Exclude<keyof OfferForm, 'isManual' | 'isListed' | 'period'>;
type TextProps = FieldsProps & { of: TextName; label: string } & Partial<
    Parameters<typeof TextField>[0]
  >;

const Typed = ({ form, set, of, ...field }: TextProps) => (
  <TextField name={of} {...field} value={form[of]} onInput={(typed) => set({ [of]: typed })} />
);

const NUMBER = { class: 'number', inputMode: 'numeric' } as const;

/** Points of one kind or of several. */
function Amounts({ hint, ...field }: TextProps) {
  const { kinds } = useRealm();
  const [, other] = kinds;
  const usual = other && `Such as “500”, or “500 + 1 ${other.id}”.`;
  const said = amountsFault(field.form[field.of], kinds) ?? hint ?? usual;
  return <Typed {...field} class="number" placeholder="0" hint={said} />;
}

/** What it is called, and what it gives and costs. */
export function MainFields(props: FieldsProps) {
  const { form, set } = props;
  return (
    <>
      <div class="pair narrow-first">
        <Typed {...props} of="emoji" label="Emoji" placeholder="🎁" />
        <Typed {...props} of="name" label="Name" placeholder="Daily reward" autoFocus />
      </div>
      <TextAreaField
        label="What members read about it"
        rows={2}
        {...fieldsFor(form, set).field('description')}
      />
      <div class="pair">
        <Amounts {...props} of="gives" label="Gives" />
        <Amounts {...props} of="costs" label="Costs" />
      </div>
    </>
  );
}

const PERIODS = [
  { value: '', label: 'No limit' },
  { value: 'day', label: 'Each day' },
  { value: 'week', label: 'Each week, from Monday' },
  { value: 'month', label: 'Each month' },
  { value: 'ever', label: 'In all' },
];

/** How often it can be claimed, and how many there are. */
export function LimitFields(props: FieldsProps) {
  const { form, set } = props;
  const { realm } = useRealm();
  const isOfCalendar = form.period !== '' && form.period !== 'ever';
  return (
    <>
      <div class="pair">
        <SelectField
          label="Limit for each member"
          name="perMember"
          value={form.period}
          choices={PERIODS}
          onChange={(period) => set({ period: period as PerMember['period'] | '' })}
          hint={isOfCalendar && `By the calendar of ${realm.settings.timeZone}.`}
        />
        {form.period !== '' && <Typed {...props} of="times" label="How many times" {...NUMBER} />}
      </div>
      {form.period === 'day' && (
        <div class="pair">
          <Typed
            {...props}
            of="bonus"
            name="streak"
            label="Bonus for days in a row"
            placeholder="0, 5, 10"
            hint="For day 1, 2, 3, …; the last one stays."
          />
          <Typed {...props} of="graceDays" label="Days that may be missed" {...NUMBER} />
        </div>
      )}
      <Typed
        {...props}
        of="stock"
        label="How many there are"
        placeholder="No limit"
        hint="Those that were claimed are among them."
        {...NUMBER}
      />
    </>
  );
}

/** When, for whom, and what happens then. */
export function MoreFields({ id, ...props }: FieldsProps & { id: string }) {
  const { field, choice, check } = fieldsFor(props.form, props.set);
  const { api } = useRealm();
  const others = [...offersOf(api).value.values()].filter((one) => one.id !== id);
  return (
    <>
      <div class="pair">
        <TimeField
          label="Opens"
          hint="At once, if empty. In your time zone."
          {...field('opensAt')}
        />
        <TimeField label="Closes" hint="Never, if empty." {...field('closesAt')} />
      </div>
      <div class="pair">
        <Amounts {...props} of="minimumBalance" name="requires" label="For members who have" />
        <SelectField
          label="For members who have claimed"
          choices={[
            { value: '', label: 'Anything or nothing' },
            ...others.map((one) => ({ value: one.id, label: one.name })),
          ]}
          {...choice('claimed')}
        />
      </div>
      <CheckField
        label="Somebody delivers it"
        hint="Each claim waits until a program or a person delivers or rejects it."
        {...check('isManual')}
      />
      <CheckField
        label="Listed"
        hint="Programs show it to members in their lists."
        {...check('isListed')}
      />
    </>
  );
}
