import { render } from 'preact';
import { noteInput } from './api/idle.ts';
import { App } from './app/App.tsx';
import { askBeforeLeaving } from './app/leaving.ts';

for (const input of ['pointerdown', 'pointermove', 'wheel', 'touchmove', 'keydown']) {
  addEventListener(input, noteInput, { capture: true, passive: true });
}

askBeforeLeaving();

const root = document.getElementById('console');
if (root) render(<App />, root);
