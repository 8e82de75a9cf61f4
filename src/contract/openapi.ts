export function openApiDocument(): Record<string, unknown> {
  return { openapi: '3.1.0', info: { title: 'Realmkeep', version: '4' }, paths: {} };
}
