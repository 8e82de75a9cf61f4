import { render } from 'preact';
import { noteInput } from './api/idle.ts';
import { App } from './app/App.tsx';
import { askBeforeLeaving } from './app/leaving.ts';
import { LinkWallet } from './views/LinkWallet.tsx';

for (const input of ['pointerdown', 'pointermove', 'wheel', 'touchmove', 'keydown']) {
  addEventListener(input, noteInput, { capture: true, passive: true });
}

askBeforeLeaving();

const root = document.getElementById('console');
// What members see needs no session, and nothing else of the console.
if (root) render(location.pathname === '/link' ? <LinkWallet /> : <App />, root);
