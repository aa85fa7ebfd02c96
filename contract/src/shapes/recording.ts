import * as z from 'zod'

/** A Trunkline addition: a URL that gives access to one recording without an API token, with its type and size. */
export const recordingTicketSchema = z.object({
  /** Relative to the API's base path. */
  address: z.string(),
  type: z.string(),
  /** In bytes. */
  size: z.number(),
})

export type RecordingTicket = z.output<typeof recordingTicketSchema>
