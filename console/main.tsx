import { render } from 'preact';
import { App } from './app/App.tsx';

const root = document.getElementById('console');
if (root) render(<App />, root);
