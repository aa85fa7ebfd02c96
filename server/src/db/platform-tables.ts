import type { Table } from './columns'
import * as applications from './tables/applications'
import * as billing from './tables/billing'
import * as carriers from './tables/carriers'
import * as users from './tables/users'
import * as routing from './tables/routing'
import * as speech from './tables/speech'
import * as system from './tables/system'
import * as tenants from './tables/tenants'

/** The version of the platform's tables that `tables/` defines. Only the platform changes them. */
export const platformVersion = '0.9.6'

/** The supported versions. A database of an older one must already have all tables and columns. */
export const supportedVersions: readonly string[] = ['0.9.4', '0.9.5', platformVersion]

/** The platform's tables. Created only in an empty database; an existing database is checked against them, never changed. */
export const platformTables: readonly Table[] = [
  ...Object.values(tenants),
  ...Object.values(users),
  ...Object.values(billing),
  ...Object.values(applications),
  ...Object.values(carriers),
  ...Object.values(routing),
  ...Object.values(speech),
  ...Object.values(system),
]
