import { pages } from './pages.ts';
import { testPages } from './running.ts';

testPages(pages.filter(({ path }) => path.startsWith('docs/recipes/')));
