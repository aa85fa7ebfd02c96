import { z } from 'zod'

const option = z.object({ value: z.string(), name: z.string() })

/** What a vendor offers. A key is absent where the vendor has no such list. */
export const catalogue = z.object({
  tts: z.array(option.extend({ voices: z.array(option.extend({ model: z.string().optional() })) })).optional(),
  stt: z.array(option).optional(),
  models: z.array(option).optional(),
  sttModels: z.array(option).optional(),
})

const vendorRequired = 'vendor is required'

/** Of which vendor, and by which of its credentials; `create_new`: by none. */
export const catalogueQuery = z.looseObject({
  vendor: z.string(vendorRequired).min(1, vendorRequired),
  label: z.string().optional(),
  create_new: z.stringbool().optional(),
})
