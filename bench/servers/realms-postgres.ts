import { databaseFor } from '../postgres.ts';
import { enrolMany } from '../realms.ts';
import { serveWithRootKey } from './service.ts';

/** The service on PostgreSQL, with a thousand realms. */
await serveWithRootKey(enrolMany, { DATABASE_URL: await databaseFor('realms') });
