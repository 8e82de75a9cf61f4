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
