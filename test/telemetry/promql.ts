import assert from 'node:assert/strict';

/** What a PromQL expression refers to. */
interface Expression {
  selectors: { metric: string; matchers: { label: string; operator: string; value: string }[] }[];
  /** The labels of `by`, `on` and the like. */
  grouping: string[];
}

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const DURATION = /\[(?:\d+[smhd]|\$__rate_interval)\]/g;
const SELECTOR = /([a-zA-Z_:][\w:]*)\s*(?:\{((?:[^}"]|"[^"]*")*)\})?(\s*\()?/g;
const MATCHER = /^\s*(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"\s*$/;
const OPERATORS = ['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan'];
const FUNCTIONS = [
  'sum',
  'max',
  'topk',
  'rate',
  'increase',
  'histogram_quantile',
  'time',
  'absent',
];

/** Reads the part of the language that our rules use; throws at what it does not know. */
export function parseExpression(text: string): Expression {
  const count = (one: string) => text.split(one).length;
  assert.equal(count('('), count(')'), text);
  const grouping = Array.from(text.matchAll(GROUPING), ([, labels = '']) => labels.split(','));
  const rest = text.replaceAll(GROUPING, '').replaceAll(DURATION, '');
  assert.doesNotMatch(rest, /[[\]]/, `${text} has an unknown duration`);
  const selectors: Expression['selectors'] = [];
  for (const [, name = '', matchers, isCall] of rest.matchAll(SELECTOR)) {
    if (isCall) assert.ok(FUNCTIONS.includes(name), `${text}: ${name} is no known function`);
    else if (!OPERATORS.includes(name)) {
      selectors.push({ metric: name, matchers: matchersIn(matchers ?? '', text) });
    }
  }
  return { selectors, grouping: grouping.flat().map((label) => label.trim()) };
}

function matchersIn(text: string, whole: string): Expression['selectors'][number]['matchers'] {
  if (text.trim() === '') return [];
  return text.split(',').map((one) => {
    const [, label = '', operator = '', value = ''] = MATCHER.exec(one) ?? assert.fail(whole);
    return { label, operator, value };
  });
}
