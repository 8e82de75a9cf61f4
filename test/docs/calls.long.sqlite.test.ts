import { isForCallers, pages } from './pages.ts';
import { testPages } from './running.ts';

testPages(pages.filter(isForCallers));
