import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Brand } from './Brand.tsx';
import { ProblemNote } from './States.tsx';

/** What one sees before one is in: whose door it is, and what to do at it. */
export const Entrance = ({ children }: { children: ComponentChildren }) => (
  <main class="entrance">
    <div class="face">
      <Brand />
      <p>Your community’s members and points, kept exactly.</p>
      <Scene />
    </div>
    <div class="door">{children}</div>
  </main>
);

interface WelcomeProps {
  title: string;
  error?: Error | undefined;
  children?: ComponentChildren;
}

/** A card at it, which says what is to be done. */
export function Welcome({ title, error, children }: WelcomeProps) {
  useEffect(() => {
    document.title = `${title} · Realmkeep`;
  }, [title]);
  return (
    <Entrance>
      <div class="card">
        <h1>{title}</h1>
        {children}
        {error && <ProblemNote error={error} />}
      </div>
    </Entrance>
  );
}

/** A keep above a village: by day in the light theme, by night in the dark one. */
const Scene = () => (
  <svg class="scene" viewBox="0 0 480 300" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
    <circle class="lit bare" cx="368" cy="74" r="30" />
    <path d="M66 70h58M52 82h46M392 128h44M404 140h42" />
    <path class="far bare" d="M0 216c70-48 140-46 214-24s150 22 266-28v136H0z" />
    <path class="wall" d="M288 258v-104h-7v-20h12v9h11v-9h12v9h11v-9h12v20h-7v104z" />
    <path class="wall" d="M196 258V120h-9V94h16v12h14V94h16v12h14V94h16v12h14V94h16v26h-9v138z" />
    <path class="flag" d="M240 94V50c12-6 20 5 34-1v22c-14 6-22-5-34 1z" />
    <path class="flag" d="M224 240v-28a16 16 0 0 1 32 0v28z" />
    <path class="lit" d="M213 148a6 6 0 0 1 12 0v14h-12zM255 148a6 6 0 0 1 12 0v14h-12z" />
    <path class="lit" d="M304 182a5 5 0 0 1 10 0v12h-10z" />
    <path class="near bare" d="M0 250c96-30 186-24 252-14s150 18 228-10v74H0z" />
    <path class="wall" d="M64 262v-25l22-17 22 17v25zM112 268v-20l17-13 17 13v20z" />
    <path class="wall" d="M356 256v-24l21-16 21 16v24z" />
    <path class="lit" d="M80 242h12v11H80zM371 237h12v11h-12zM124 252h10v9h-10z" />
    <path class="near" d="M30 262v-12m0 0c-16 0-14-26 0-34 14 8 16 34 0 34z" />
    <path class="near" d="M428 256v-10m0 0c-13 0-12-22 0-29 12 7 13 29 0 29z" />
    <path class="near" d="M334 252v-9m0 0c-11 0-10-19 0-25 10 6 11 25 0 25z" />
  </svg>
);
