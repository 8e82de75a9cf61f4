import { forNewcomers } from './pages.ts';
import { testSitting } from './running.ts';

testSitting(forNewcomers, 'Node 26', process.execPath);
