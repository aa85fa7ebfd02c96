import * as z from 'zod'

const option = z.object({ value: z.string(), name: z.string() })

/** The languages, voices and models of a vendor. A key is absent if the vendor has no such list. */
export const catalogueSchema = z.object({
  tts: z.array(option.extend({ voices: z.array(option.extend({ model: z.string().optional() })) })).optional(),
  stt: z.array(option).optional(),
  models: z.array(option).optional(),
  sttModels: z.array(option).optional(),
})

const vendorRequired = 'vendor is required'

/** Selects the vendor and, by label, one of its credentials. With `create_new`, no credential is used. */
export const catalogueQuerySchema = z.looseObject({
  vendor: z.string(vendorRequired).min(1, vendorRequired),
  label: z.string().optional(),
  create_new: z.stringbool().optional(),
})
