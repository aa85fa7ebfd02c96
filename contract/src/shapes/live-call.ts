import { z } from 'zod'

/** A call in progress. Further fields from the platform are passed on. */
export const liveCall = z.looseObject({
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
export const startedCall = z.looseObject({})

export const queue = z.object({ name: z.string(), length: z.number() })
export const callCount = z.object({ inbound: z.number(), outbound: z.number() })

/** A device that is registered in an account's SIP realm. */
export const registeredUser = z.object({
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

export const liveCallQuery = z.looseObject({
  direction: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  callStatus: z.string().optional(),
})

export type LiveCall = z.infer<typeof liveCall>
export type LiveCallQuery = z.infer<typeof liveCallQuery>
export type Queue = z.infer<typeof queue>
export type CallCount = z.infer<typeof callCount>
export type RegisteredUser = z.infer<typeof registeredUser>
