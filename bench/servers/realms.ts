import { enrolMany } from '../realms.ts';
import { serveWithRootKey } from './service.ts';

/** The service with a thousand realms. */
await serveWithRootKey(enrolMany);
