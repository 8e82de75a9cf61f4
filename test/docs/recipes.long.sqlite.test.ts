import { isRecipe, pages } from './pages.ts';
import { testPages } from './running.ts';

testPages(pages.filter(isRecipe));
