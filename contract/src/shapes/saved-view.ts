import * as z from 'zod'
import { name, sid, text } from '../kit/fields'

/** The last part of the list's path in the console: 'recent-calls'. */
const list = () => z.string().regex(/^[a-z][a-z0-9-]{0,63}$/)

/** The maximum length of a query. The console creates queries of a few hundred characters. */
const maxViewQueryLength = 2000

/** The query of the list's URL, without '?': filters, sort order, page size, columns and row height. */
const query = () => text(maxViewQueryLength)

export const savedViewSchema = z.object({
  saved_view_sid: z.string(),
  list: z.string(),
  name: z.string(),
  query: z.string(),
})

export const savedViewDraftSchema = z.strictObject({ list: list(), name: name(64), query: query() })

export const savedViewChangesSchema = z.strictObject({ name: name(64).optional(), query: query().optional() })

export const savedViewQuerySchema = z.strictObject({ list: list().optional() })

export const createdSavedViewSchema = z.object({ sid: sid() })

export type SavedView = z.output<typeof savedViewSchema>
export type SavedViewDraft = z.input<typeof savedViewDraftSchema>
export type SavedViewChanges = z.input<typeof savedViewChangesSchema>
