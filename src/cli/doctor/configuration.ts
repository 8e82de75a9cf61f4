import { type Config, lacksPublicUrl, readConfig } from '../../config/config.ts';
import type { KeyFile } from '../../config/key-file.ts';
import { rootKeyFile, secretKeyFile } from '../../config/keys.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { ConfigError } from '../../config/parsers.ts';
import { hashSecret } from '../../domain/key-format.ts';
import { about, type Finding } from './finding.ts';

/** The settings, or the fault that keeps them from being read. */
export function settings(): Config | Finding {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct that; until then nothing else can be checked.';
    return about('configuration').fault(`Invalid settings: ${error.message}. ${advice}`);
  }
}

export function configurationFindings(config: Config): Finding[] {
  const { ok, warning } = about('configuration');
  const warnings = [
    ...config.warnings.map((text) => `${text}. Correct the file.`),
    ...(lacksPublicUrl(config)
      ? ['PUBLIC_URL is not set, so wallets warn their owners before they sign. Set it.']
      : []),
  ];
  return warnings.length === 0 ? [ok('All settings are valid.')] : warnings.map(warning);
}

/** `storedHash` is what the database has of the root key. */
export function keyFindings(config: Config, storedHash: string | null): Finding[] {
  const { ok, fault } = about('keys');
  const findings = [
    ...(config.rootKey === null ? fileFindings(rootKeyFile(config)) : []),
    ...(config.secretKey === null ? fileFindings(secretKeyFile(config)) : []),
  ];
  if (findings.length > 0) return findings;
  const isServer = config.database.kind === 'postgres';
  const key = config.rootKey === null ? rootKeyFile(config).read()?.key : undefined;
  // The file of a SQLite database is the only one, and may be replaced.
  if (isServer && key && storedHash !== null && hashSecret(key) !== storedHash) {
    const sentence = `${config.rootKeyPath} is not the root key of ${config.database.shown}.`;
    return [fault(`${sentence} Delete it or put the right one there, or set ROOT_KEY.`)];
  }
  return [ok('The root key and the secret key can be read, or the next start creates them.')];
}

function fileFindings(file: KeyFile): Finding[] {
  const { warning, fault } = about('keys');
  try {
    if (!file.read()?.isExposed) return [];
    return [warning(`Every user of this machine may read ${file.path}. Run chmod 600 on it.`)];
  } catch (error) {
    if (error instanceof OperatorError) return [fault(error.message)];
    throw error;
  }
}
