import { type Config, lacksPublicUrl, readConfig } from '../../config/config.ts';
import {
  type KeyFile,
  ROOT_KEY_ELSEWHERE,
  refuseOtherKey,
  rootKeyFile,
  secretKeyFile,
} from '../../config/keys.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { ConfigError } from '../../config/parsers.ts';
import { hashSecret } from '../../domain/key-format.ts';
import type { WebhookRow } from '../../domain/webhook.ts';
import { SecretBox } from '../../webhooks/messages.ts';
import type { Content } from './database.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** The settings, or the fault that keeps them from being read. */
export function settings(): Config | Finding {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct that; until then nothing else can be checked.';
    return fault(`Invalid settings: ${error.message}. ${advice}`);
  }
}

export function configurationFindings(config: Config): Finding[] {
  const warnings = [
    ...config.warnings.map((text) => `${text}. Correct it.`),
    ...(lacksPublicUrl(config)
      ? ['PUBLIC_URL is not set, so wallets warn their owners before they sign. Set it.']
      : []),
  ];
  return warnings.length === 0 ? [ok('All settings are valid.')] : warnings.map(warning);
}

/** `storedHash` is what the database has of the root key. */
export function keyFindings(config: Config, storedHash: string | null): Finding[] {
  const isOwn = (key: string) => refuseOtherKey(config, hashSecret(key), storedHash);
  const findings = [
    ...(config.rootKey === null ? fileFindings(rootKeyFile(config), isOwn) : []),
    ...(config.secretKey === null ? fileFindings(secretKeyFile(config)) : []),
  ];
  if (findings.length > 0) return findings;
  const isElsewhere = config.rootKey === null && rootKeyFile(config).read() === null;
  if (isElsewhere && storedHash !== null) return [ok(ROOT_KEY_ELSEWHERE.join(' '))];
  return [ok('The root key and the secret key can be read, or the next start creates them.')];
}

function fileFindings(file: KeyFile, check?: (key: string) => void): Finding[] {
  try {
    const found = file.read();
    if (found) check?.(found.key);
    if (!found?.isExposed) return [];
    return [warning(`Every user of this machine may read ${file.path}. Run chmod 600 on it.`)];
  } catch (error) {
    if (error instanceof OperatorError) return [fault(error.message)];
    throw error;
  }
}

const MAX_LISTED = 10;

/** Webhooks that fail, or that the service has paused because they failed. */
export function webhookFindings(config: Config, webhooks: Content['webhooks']): Finding[] {
  const keyId = ownKeyId(config);
  const found = webhooks.flatMap(({ realmId, webhook }) => {
    const finding = findingOn(`${realmId}/${webhook.id}`, webhook, keyId);
    return finding ? [finding] : [];
  });
  if (found.length === 0) {
    return [ok(webhooks.length === 0 ? 'There are none.' : `None of ${webhooks.length} fails.`)];
  }
  const rest = found.length - MAX_LISTED;
  const more = rest > 0 ? [warning(`There are ${rest} more with a fault.`)] : [];
  return [...found.slice(0, MAX_LISTED), ...more];
}

/** The id of the key that seals secrets; null if there is none yet, or it cannot be read. */
function ownKeyId(config: Config): string | null {
  try {
    const key = config.secretKey ?? secretKeyFile(config).read()?.key;
    return key === undefined ? null : new SecretBox(key).keyId;
  } catch (error) {
    if (error instanceof OperatorError) return null;
    throw error;
  }
}

function findingOn(name: string, webhook: WebhookRow, keyId: string | null): Finding | null {
  const { secret, pauseReason, failingSince, attempts, progressOf, startSeq } = webhook;
  if (pauseReason === 'requested') return null;
  if (pauseReason !== null) {
    const why = pauseReason === 'gone' ? 'its receiver answered 410' : 'it failed for days';
    return fault(`${name} is paused because ${why}. Correct its URL and resume it.`);
  }
  if (keyId === null || !secret.startsWith(`${keyId}.`)) {
    const advice = 'Set the SECRET_KEY that it was created with, or rotate its secret.';
    return fault(`${name} gets nothing: its secret was sealed with another key. ${advice}`);
  }
  // The progress of an earlier start is void.
  if (failingSince === null || progressOf !== startSeq) return null;
  const since = new Date(failingSince).toISOString();
  const advice = 'Its list of deliveries says why.';
  return warning(`${name} has failed since ${since}, in ${attempts} attempts. ${advice}`);
}
