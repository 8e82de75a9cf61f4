import { render } from 'preact';
import { noteInput } from './api/idle.ts';
import { App } from './app/App.tsx';
import { later } from './app/later.tsx';
import { askBeforeLeaving } from './app/leaving.ts';

for (const input of ['pointerdown', 'pointermove', 'wheel', 'touchmove', 'keydown']) {
  addEventListener(input, noteInput, { capture: true, passive: true });
}

askBeforeLeaving();

const LinkWallet = later('LinkWallet');
const root = document.getElementById('console');
// What members see needs no session, and nothing else of the console.
if (root) render(location.pathname === '/link' ? <LinkWallet /> : <App />, root);
