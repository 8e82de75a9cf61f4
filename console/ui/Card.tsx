import type { ComponentChildren } from 'preact';

interface CardProps {
  title: string;
  /** What it is about, below the title. */
  note?: ComponentChildren;
  /** At the end of its head: a button, a link or a choice. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** One matter of a view, with its title. */
export function Card({ title, note, action, children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      <header class="wrap">
        <div class="card-title">
          <h2>{title}</h2>
          {note && <p class="caption">{note}</p>}
        </div>
        {action && <div class="row wrap push">{action}</div>}
      </header>
      <div class="body stack">{children}</div>
    </section>
  );
}
