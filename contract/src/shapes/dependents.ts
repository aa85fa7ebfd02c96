import * as z from 'zod'

export const recordDependentsSchema = z.object({
  /** One entry for each kind with at least one record. */
  dependents: z.array(
    z.object({
      kind: z.string(),
      /** The number of all records of this kind, of which `records` has only the first by title. */
      total: z.number(),
      /** The record cannot be deleted before these are deleted or changed. Otherwise they only use it or belong to it. */
      prevents_deletion: z.boolean(),
      records: z.array(z.object({ sid: z.string(), title: z.string() })),
    }),
  ),
})

export type RecordDependents = z.output<typeof recordDependentsSchema>
