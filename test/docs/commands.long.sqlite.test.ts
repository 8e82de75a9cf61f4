import { forNewcomers, isForCallers, pages } from './pages.ts';
import { testPages } from './running.ts';

testPages(pages.filter((page) => !isForCallers(page) && !forNewcomers.includes(page)));
