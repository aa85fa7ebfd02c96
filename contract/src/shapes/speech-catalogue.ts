import { z } from 'zod'

const offer = z.object({ value: z.string(), name: z.string() })

/** What a vendor offers. A key is absent where the vendor has no such list. */
export const catalogue = z.object({
  tts: z.array(offer.extend({ voices: z.array(offer.extend({ model: z.string().optional() })) })).optional(),
  stt: z.array(offer).optional(),
  models: z.array(offer).optional(),
  sttModels: z.array(offer).optional(),
})

const vendorNeeded = 'vendor is required'

/** Of which vendor, and by which of its credentials; `create_new`: by none. */
export const catalogueQuery = z.looseObject({
  vendor: z.string(vendorNeeded).min(1, vendorNeeded),
  label: z.string().optional(),
  create_new: z.stringbool().optional(),
})
