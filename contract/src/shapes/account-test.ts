import * as z from 'zod'

const owner = { service_provider_sid: z.string(), account_sid: z.null() }

/** Public, so each row contains only what a test call needs. */
export const accountTestSchema = z.object({
  phonenumbers: z.array(
    z.object({ phone_number_sid: z.string(), number: z.string(), application_sid: z.string().nullable(), ...owner }),
  ),
  applications: z.array(z.object({ application_sid: z.string(), name: z.string(), ...owner })),
})

export type AccountTest = z.output<typeof accountTestSchema>
