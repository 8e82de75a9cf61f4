/** What deploy/ has for Prometheus and Grafana names only what a service really has. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parsePrometheusText, type Sample } from '../support/prometheus-text.ts';
import { serviceForFile } from '../support/service.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { OtlpReceiver } from './otlp-receiver.ts';
import { parseExpression } from './promql.ts';

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../deploy', path), 'utf8');

/** Added by Prometheus to whatever it reads. */
const TARGET_LABELS = ['job', 'instance'];
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** A service with everything that has metrics: backups, a chain, a webhook, a collector. */
async function scraped() {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-dashboards-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const node = createServer((_request, response) => response.writeHead(500).end());
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  after(() => node.close());
  const nodeUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const hook = await Receiver.start();
  after(() => hook.stop());
  const service = await serviceForFile({
    backups: { folder, everyMs: 86_400_000, keep: 1 },
    rpcUrls: { 'eip155:1': nodeUrl },
    telemetry: (await OtlpReceiver.forFile()).settings(),
  });
  const realm = await service.realm('acme');
  await realm.expect(201, 'POST', '/webhooks', { body: { url: hook.url } });
  await realm.member('1', 5, { wallets: [WALLET] });
  const asset = { id: 'gold', chain: 'eip155:1', standard: 'erc20', contract: WALLET };
  await realm.expect(201, 'POST', '/assets', { body: asset });
  await realm.expect(200, 'GET', '/web3/members/1');
  // The outcome of the first is counted before the second is sent.
  await hook.until(() => hook.received.length > 1);
  const { text } = await service.expect(200, 'GET', '/metrics');
  return parsePrometheusText(text);
}

const families = await scraped();

/** The samples of a metric, by its name or that of a part of a histogram. */
function samplesOf(metric: string): Sample[] {
  const base = metric.replace(/_(bucket|sum|count)$/, '');
  const family = families.get(metric) ?? families.get(base);
  assert.ok(family, `there is no metric ${metric}`);
  return family.samples.filter(({ name }) => name === metric);
}

function hasLabel(metric: string, label: string): boolean {
  if (TARGET_LABELS.includes(label)) return true;
  return samplesOf(metric).some(({ labels }) => label in labels);
}

function checkExpression(text: string, shown: string[] = []): void {
  const { selectors, grouping } = parseExpression(text);
  assert.ok(selectors.length > 0, text);
  // Prometheus itself has this one.
  const ours = selectors.filter(({ metric }) => metric !== 'up');
  for (const { metric, matchers } of ours) {
    const samples = samplesOf(metric);
    for (const { label, operator, value } of matchers) {
      assert.ok(hasLabel(metric, label), `${text}: ${metric} has no label ${label}`);
      if (TARGET_LABELS.includes(label)) continue;
      const pattern = operator.endsWith('~') ? new RegExp(`^(?:${value})$`) : value;
      const isValue = (one = '') =>
        typeof pattern === 'string' ? one === value : pattern.test(one);
      const isKnown = samples.some(({ labels }) => isValue(labels[label]));
      assert.ok(isKnown, `${text}: ${label} is never ${value}`);
    }
    for (const label of grouping) {
      assert.ok(hasLabel(metric, label), `${text}: ${metric} has no label ${label}`);
    }
  }
  for (const label of shown) {
    const isLeft = grouping.length > 0 ? grouping.includes(label) : TARGET_LABELS.includes(label);
    const isOfMetric = grouping.length === 0 && ours.some(({ metric }) => hasLabel(metric, label));
    assert.ok(isLeft || isOfMetric, `${text}: a legend shows ${label}`);
  }
}

interface Panel {
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { expr: string; legendFormat: string }[];
}

test('the dashboard names metrics and labels that exist', () => {
  const dashboard = JSON.parse(read('grafana/dashboard.json'));
  const panels = dashboard.panels as Panel[];
  const targets = panels.flatMap((panel) => panel.targets ?? []);
  assert.ok(targets.length > 20);
  for (const { expr, legendFormat } of targets) {
    const shown = Array.from(legendFormat.matchAll(/\{\{(\w+)\}\}/g), ([, label = '']) => label);
    checkExpression(expr, shown);
  }
  const variables = dashboard.templating.list as { definition?: string }[];
  for (const { definition } of variables) {
    if (definition === undefined) continue;
    const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(definition) ?? [];
    assert.ok(hasLabel(metric, label), definition);
    samplesOf(metric);
  }
});

test('the panels of the dashboard have titles of their own and do not overlap', () => {
  const panels = JSON.parse(read('grafana/dashboard.json')).panels as Panel[];
  const titles = panels.map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
  const taken = new Set<string>();
  for (const { title, gridPos } of panels) {
    assert.ok(gridPos.x + gridPos.w <= 24, title);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(!taken.has(`${x} ${y}`), `${title} overlaps another panel`);
        taken.add(`${x} ${y}`);
      }
    }
  }
});

/** The lines of the rules: there is no parser of YAML here, so they have these forms only. */
const LINES = {
  frame: /^(groups:| {2}- name: realmkeep| {4}rules:| {8}annotations:)$/,
  alert: /^ {6}- alert: (Realmkeep[A-Z]\w+)$/,
  // A plain scalar: neither a comment nor a mapping may begin in it.
  expr: /^ {8}expr: ([a-z](?:(?! #|: ).)+)$/,
  for: /^ {8}for: \d+[mh]$/,
  labels: /^ {8}labels: \{ severity: (?:critical|warning|info) \}$/,
  summary: /^ {10}summary: "[^"\\]+\."$/,
};

test('the alerts name metrics and labels that exist, and say what is wrong', () => {
  const lines = read('prometheus/alerts.yaml')
    .split('\n')
    .filter((line) => !/^\s*(#.*)?$/.test(line));
  const found = (form: RegExp) => lines.flatMap((line) => form.exec(line)?.[1] ?? []);
  for (const line of lines) {
    assert.ok(
      Object.values(LINES).some((form) => form.test(line)),
      `"${line}" has no known form`,
    );
  }
  const alerts = found(LINES.alert);
  assert.ok(alerts.length > 10);
  assert.equal(new Set(alerts).size, alerts.length);
  for (const text of found(LINES.expr)) checkExpression(text);
  const rules = read('prometheus/alerts.yaml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  for (const rule of rules) {
    for (const field of ['expr: ', 'labels: ', 'summary: ']) {
      assert.equal(rule.split(`  ${field}`).length, 2, `${rule} needs one ${field}`);
    }
  }
});
