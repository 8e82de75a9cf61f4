import { node20 } from '../support/older-node.ts';
import { forNewcomers } from './pages.ts';
import { testSitting } from './running.ts';

testSitting(forNewcomers, 'Node 20', node20);
