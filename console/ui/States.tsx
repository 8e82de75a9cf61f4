import { isProblem } from '@realmkeep/client';
import type { ComponentChildren } from 'preact';
import { changeSentenceOf, isRefused, sentenceOf } from '../api/faults.ts';
import { isReachable } from '../api/service.ts';
import type { IconName } from '../text/icons.ts';
import { Button } from './Button.tsx';
import { Drawing } from './Drawing.tsx';
import { Icon } from './Icon.tsx';
import { Text } from './Text.tsx';

/** Where a text will be. */
export function Skeleton({ width = 96 }: { width?: number }) {
  return <span class="skeleton" style={{ width: `${width}px` }} />;
}

/** Says what is not there yet, and what to do about it: a sentence, and the button that does it. */
export function Empty(props: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Drawing of={props.icon} />
      <h2>{props.title}</h2>
      {props.children}
    </div>
  );
}

interface ProblemProps {
  error: Error;
  retry?: () => void;
  /** Whether a change has failed, which may have been made nevertheless. */
  isChange?: boolean;
  /** What is said instead of its own words. */
  sentence?: string | false;
}

/** A refusal in the words of the service; what a developer asks for is behind "Details". */
export function ProblemNote({ error, retry, isChange = false, sentence }: ProblemProps) {
  // The frame says so already, and what failed is tried again.
  if (retry && !isReachable.value) return null;
  return (
    <div class="problem" role="alert">
      <Icon name="alert" />
      <div class="row wrap spread">
        <span>
          <Text value={sentence || (isChange ? changeSentenceOf(error) : sentenceOf(error))} />
        </span>
        {retry && !isRefused(error) && (
          <Button small onClick={retry}>
            Try again
          </Button>
        )}
      </div>
      <ProblemDetails error={error} />
    </div>
  );
}

export function ProblemDetails({ error }: { error: Error }) {
  if (!isProblem(error)) return null;
  return (
    <details class="caption">
      <summary>Details</summary>
      <p class="mono">
        {error.code}, status {error.status}
        {error.requestId && `, request ${error.requestId}`}
      </p>
      {error.detail !== undefined && error.detail !== error.message && (
        <p>
          <Text value={error.detail} />
        </p>
      )}
    </details>
  );
}
