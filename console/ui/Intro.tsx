import type { ComponentChildren } from 'preact';

interface IntroProps {
  note: ComponentChildren;
  /** The button that adds to what is listed below. */
  action?: ComponentChildren;
}

/** What a list is about. */
export const Intro = ({ note, action }: IntroProps) => (
  <div class="toolbar">
    <p class="muted">{note}</p>
    {action && <div class="push">{action}</div>}
  </div>
);
