import { z } from 'zod'

/** How many spoken texts are kept. */
export const ttsCache = z.object({ size: z.number().int() })

export type TtsCache = z.output<typeof ttsCache>
