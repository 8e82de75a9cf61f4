import { isForCallers, isRecipe, pages } from './pages.ts';
import { testPages } from './running.ts';

testPages(pages.filter((page) => !isForCallers(page) && !isRecipe(page)));
