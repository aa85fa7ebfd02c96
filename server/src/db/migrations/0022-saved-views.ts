import { sid, table, text, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

/** Saved views of lists. Each belongs to one user. */
export const trunklineSavedViews = table(
  'trunkline_saved_views',
  {
    saved_view_sid: sid().primary(),
    user_sid: sid(),
    list: varchar(64),
    name: varchar(64),
    query: text(),
  },
  { indexes: { user_sid_idx: ['user_sid'] } },
)

export const createdTables = [trunklineSavedViews]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)
