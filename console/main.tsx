import { render } from 'preact';
import { noteSign } from './api/attendance.ts';
import { App } from './app/App.tsx';
import { askBeforeLeaving } from './app/leaving.ts';

for (const sign of ['pointerdown', 'pointermove', 'wheel', 'touchmove', 'keydown']) {
  addEventListener(sign, noteSign, { capture: true, passive: true });
}

askBeforeLeaving();

const root = document.getElementById('console');
if (root) render(<App />, root);
