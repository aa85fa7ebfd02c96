import * as z from 'zod'

/** A call in progress. Further fields from the platform are passed on. */
export const liveCallSchema = z.looseObject({
  call_sid: z.string().optional(),
  account_sid: z.string().optional(),
  call_id: z.string().optional(),
  call_status: z.string().optional(),
  direction: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  duration: z.number().optional(),
  sip_status: z.number().optional(),
})

/** The feature server's response to a new call or message: its identifiers. */
export const startedCallSchema = z.looseObject({})

export const queueSchema = z.object({ name: z.string(), length: z.number() })
export const callCountSchema = z.object({ inbound: z.number(), outbound: z.number() })

/** The calls in progress of a tenant, and the limits of concurrent calls that it has almost reached. */
export const callUsageSchema = z.object({
  calls: z.number(),
  inbound: z.number(),
  outbound: z.number(),
  /** Limits that are used to 90 per cent or more, the fullest first. */
  limits: z.array(
    z.object({
      /** Null: the limit of the service provider, for the calls of all its accounts. */
      account_sid: z.string().nullable(),
      account_name: z.string().nullable(),
      quantity: z.number(),
      calls: z.number(),
    }),
  ),
})

/** A device that is registered in an account's SIP realm. */
export const registeredUserSchema = z.object({
  name: z.string(),
  contact: z.string().nullable(),
  /** Milliseconds since 1970; 0 if unknown. */
  expiryTime: z.number(),
  protocol: z.string().nullable(),
  /** The SBC that received the registration. */
  sbcAddress: z.string().nullable(),
  allow_direct_app_calling: z.boolean(),
  allow_direct_queue_calling: z.boolean(),
  allow_direct_user_calling: z.boolean(),
  registered_status: z.enum(['active', 'inactive']),
  proxy: z.string().nullable(),
})

export const liveCallQuerySchema = z.looseObject({
  direction: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  callStatus: z.string().optional(),
})

export type LiveCall = z.infer<typeof liveCallSchema>
export type LiveCallQuery = z.infer<typeof liveCallQuerySchema>
export type Queue = z.infer<typeof queueSchema>
export type CallUsage = z.infer<typeof callUsageSchema>
export type CallCount = z.infer<typeof callCountSchema>
export type RegisteredUser = z.infer<typeof registeredUserSchema>
