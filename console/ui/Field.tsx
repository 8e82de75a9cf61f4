import type { ComponentChildren } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import { visibleText } from '../text/visible.ts';
import { FaultContext } from './fault-context.ts';
import { focusOnce } from './focus.ts';
import { Icon } from './Icon.tsx';
import type { Listbox } from './listbox.ts';
import { Text } from './Text.tsx';

interface FieldProps {
  label: string;
  name: string;
  hint?: ComponentChildren;
}

interface Described {
  id: string;
  name: string;
  'aria-describedby'?: string;
  'aria-invalid': boolean;
}

function Field(props: FieldProps & { children: (attributes: Described) => ComponentChildren }) {
  const id = useId();
  const fault = useContext(FaultContext).get(props.name);
  const note = `${id}-note`;
  const hasNote = fault !== undefined || Boolean(props.hint);
  return (
    <div class="field">
      <label for={id}>
        <Text value={props.label} />
      </label>
      {props.children({
        id,
        name: props.name,
        ...(hasNote ? { 'aria-describedby': note } : {}),
        'aria-invalid': fault !== undefined,
      })}
      {fault ? (
        <div id={note} class="fault" role="alert">
          <Icon name="alert" />
          <span>
            <Text value={fault} />
          </span>
        </div>
      ) : (
        props.hint && (
          <div id={note} class="hint">
            {props.hint}
          </div>
        )
      )}
    </div>
  );
}

interface TextFieldProps extends FieldProps {
  value: string;
  onInput: (value: string) => void;
  isSecret?: boolean;
  class?: string;
  placeholder?: string;
  autoFocus?: boolean;
  inputMode?: 'numeric' | 'text';
  autoComplete?: string;
  /** Of a list of options below the field. */
  box?: Listbox<unknown>['box'];
}

export function TextField({ label, name, hint, class: extra = '', ...rest }: TextFieldProps) {
  const { value, onInput, autoFocus, isSecret, autoComplete = 'off', box, ...attributes } = rest;
  return (
    <Field label={label} name={name} hint={hint}>
      {(described) => (
        <input
          {...described}
          {...attributes}
          {...(isSecret ? { type: 'password' as const } : box)}
          class={`input ${extra}`}
          value={value}
          spellcheck={false}
          autocomplete={autoComplete}
          data-autofocus={autoFocus}
          ref={autoFocus ? focusOnce : null}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

type TextAreaProps = FieldProps &
  Pick<TextFieldProps, 'value' | 'onInput' | 'placeholder' | 'class' | 'autoFocus'> & {
    rows?: number;
  };

export function TextAreaField({ class: extra = '', rows = 6, ...field }: TextAreaProps) {
  const { value, onInput, placeholder = '', autoFocus = false } = field;
  return (
    <Field {...field}>
      {(described) => (
        <textarea
          {...described}
          class={`input ${extra}`}
          rows={rows}
          placeholder={placeholder}
          value={value}
          spellcheck={false}
          data-autofocus={autoFocus}
          ref={autoFocus ? focusOnce : null}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface Choice {
  value: string;
  label: string;
}

interface ChoiceProps {
  value: string;
  choices: Choice[];
  onChange: (value: string) => void;
}

const choosing = ({ value, choices, onChange }: ChoiceProps) => ({
  value,
  onChange: (event: { currentTarget: HTMLSelectElement }) => onChange(event.currentTarget.value),
  children: choices.map((choice) => (
    <option key={choice.value} value={choice.value}>
      {visibleText(choice.label)}
    </option>
  )),
});

export const SelectField = (props: FieldProps & ChoiceProps) => (
  <Field {...props}>
    {(described) => <select {...described} class="input" {...choosing(props)} />}
  </Field>
);

/** A choice in a toolbar, whose label only screen readers need. */
export const Select = (props: ChoiceProps & { label: string }) => (
  <select class="input small" aria-label={props.label} {...choosing(props)} />
);

/** A moment in the reader's time zone, or a day; empty for none. */
export function TimeField(
  props: FieldProps & { value: string; isDay?: boolean; onInput: (value: string) => void },
) {
  return (
    <Field {...props}>
      {(described) => (
        <input
          {...described}
          type={props.isDay ? 'date' : 'datetime-local'}
          class="input"
          value={props.value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A day of UTC in a toolbar; empty for none. */
export function DayInput(props: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <label class="day">
      {props.label}
      <input
        type="date"
        class="input small"
        title="Days begin at midnight UTC"
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
    </label>
  );
}

export function CheckField(props: {
  label: string;
  hint?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={props.checked}
        disabled={props.disabled ?? false}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <label for={id}>{props.label}</label>
      {props.hint && <span class="hint caption">{props.hint}</span>}
    </div>
  );
}

type Names<Form, Type> = {
  [Name in keyof Form]-?: Form[Name] extends Type ? Name : never;
}[keyof Form] &
  string;

/** The attributes of the fields of a form, by the names of what they are for. */
export function fieldsFor<Form extends object>(form: Form, set: (changes: Partial<Form>) => void) {
  const change = (name: keyof Form) => (value: unknown) => set({ [name]: value } as Partial<Form>);
  const text = (name: keyof Form) => (form[name] ?? '') as string;
  return {
    field: <Name extends Names<Form, string | undefined>>(name: Name) => {
      return { name, value: text(name), onInput: change(name) };
    },
    choice: <Name extends Names<Form, string | undefined>>(name: Name) => {
      return { name, value: text(name), onChange: change(name) };
    },
    check: (name: Names<Form, boolean>) => {
      return { checked: form[name] as boolean, onChange: change(name) };
    },
  };
}

/** A form of a dialog, as it is typed. */
export function useForm<Form extends object>(initial: Form) {
  const [typed, setTyped] = useState(initial);
  const set = (changes: Partial<Form>): void => setTyped({ ...typed, ...changes });
  return { typed, set, ...fieldsFor(typed, set) };
}
