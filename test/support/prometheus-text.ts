import assert from 'node:assert/strict';

/** A family of metrics, as Prometheus reads it. */
interface Family {
  type: string;
  help: string;
  samples: Sample[];
}

export interface Sample {
  /** With the suffix of a histogram's part. */
  name: string;
  labels: Record<string, string>;
  value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HEAD = new RegExp(`^# (HELP|TYPE) (${NAME}) (.*)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];
const VALUE = /^([+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]Inf|NaN)$/i;

/** Reads the text format, version 0.0.4; throws if anything is not in it. */
export function parsePrometheusText(text: string): Map<string, Family> {
  assert.ok(text.endsWith('\n'), 'the last line must end');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.split('\n')) {
    if (line === '' || (line.startsWith('#') && !/^# (HELP|TYPE) /.test(line))) continue;
    if (line.startsWith('#')) {
      const [, keyword, name = '', rest = ''] = HEAD.exec(line) ?? assert.fail(line);
      const family = families.get(name) ?? { type: '', help: '', samples: [] };
      assert.equal(family.samples.length, 0, `${line}: its samples came before`);
      if (keyword === 'HELP') family.help = rest;
      else {
        assert.ok(family.type === '' && TYPES.includes(rest), line);
        family.type = rest;
      }
      families.set(name, family);
      current = name;
      continue;
    }
    const sample = sampleIn(line);
    const family = families.get(current) ?? assert.fail(`${line}: has no TYPE`);
    const suffix = sample.name.slice(current.length);
    const suffixes = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    assert.ok(sample.name.startsWith(current) && suffixes.includes(suffix), `${line}: ${current}`);
    const series = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted()]);
    assert.ok(!seen.has(series), `${line}: the same series twice`);
    seen.add(series);
    family.samples.push(sample);
  }
  return families;
}

function sampleIn(line: string): Sample {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? assert.fail(line);
  assert.match(value, VALUE, line);
  return { name, labels: labelsIn(labels), value: Number(value.replace('Inf', 'Infinity')) };
}

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name = '', value = ''] = LABEL.exec(text) ?? assert.fail(text);
    assert.ok(!(name in labels), `${text}: ${name} twice`);
    labels[name] = value.replaceAll(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one));
  }
  return labels;
}
