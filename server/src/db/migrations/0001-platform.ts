import type { MigrationContext } from '../migration-context'
import { platformTables } from '../platform-tables'

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(platformTables)
