import { defineRoute } from '../kit/route'
import type { SavedView, SavedViewChanges, SavedViewDraft } from '../shapes/saved-view'

/** A Trunkline addition: server capability `savedViews`. The views of the signed-in user; others cannot see them. */
export const savedView = {
  list: defineRoute<{ query: { list?: string }; response: SavedView[] }>()(
    'GET',
    '/SavedViews',
    "List the user's saved views, of one list or of all",
  ),
  create: defineRoute<{ body: SavedViewDraft; response: { sid: string } }>()(
    'POST',
    '/SavedViews',
    'Save a view of a list',
  ),
  update: defineRoute<{ body: SavedViewChanges }>()(
    'PUT',
    '/SavedViews/:saved_view_sid',
    'Rename or replace a saved view',
  ),
  remove: defineRoute()('DELETE', '/SavedViews/:saved_view_sid', 'Delete a saved view'),
} as const
