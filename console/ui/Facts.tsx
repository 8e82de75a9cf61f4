import type { ComponentChildren } from 'preact';

/** One line of what is known of something, in a list of class `facts`. */
export const Fact = (props: {
  label: ComponentChildren;
  value: ComponentChildren;
  class?: string;
}) => (
  <>
    <dt>{props.label}</dt>
    <dd class={props.class ?? ''}>{props.value}</dd>
  </>
);
