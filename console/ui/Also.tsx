import type { ComponentChildren } from 'preact';

/** One more thing said of a row, behind a dot. */
export const Also = ({ is }: { is: ComponentChildren }) => (
  <>
    {' · '}
    {is}
  </>
);
