import { z } from 'zod'

/** Ours: an address of one recording that needs no token, with what will come from it. */
export const signedRecording = z.object({
  /** Below the API's base. */
  address: z.string(),
  type: z.string(),
  /** Bytes. */
  size: z.number(),
})

export type SignedRecording = z.output<typeof signedRecording>
